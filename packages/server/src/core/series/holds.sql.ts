import { type Reader, sql } from '@namehold/postgres';

export interface HeldRow {
  readonly currency: string;
  /** Number of the moments that it is older than. */
  readonly class: number;
  readonly count: string;
  readonly amount: string;
}

/** Money that is on hold now; of one account, or of the buyers of all. The moments are in descending order. */
export function heldByAge(db: Reader, resellerId: string | undefined, moments: readonly Date[]): Promise<HeldRow[]> {
  // Every level above a buyer has its own hold for the same order.
  const whose =
    resellerId === undefined ? sql`id = purchase_id` : sql`reseller_id = ${resellerId} and customer_id is null`;
  return db.many<HeldRow>(sql`
    select currency, class, count(*) as count, sum(amount) as amount from (
      select currency, amount, (select count(*)::integer from unnest(${moments}::timestamptz[]) m where created_at < m) as class
      from ledger_transaction where status = 'pending' and ${whose}) held
    group by currency, class`);
}
