import { type Reader, sql } from '@namehold/postgres';

/** Drafts of sales that wait for a rate, and the reason of the first. */
export async function waitingForRates(
  db: Reader,
  resellerId: string,
): Promise<{ readonly count: number; readonly reason: string | null }> {
  return db.one<{ count: number; reason: string | null }>(sql`
    select count(*)::integer as count, min(reason) as reason from invoice
    where reseller_id = ${resellerId} and state = 'draft' and waits_for = 'tax_rate'`);
}
