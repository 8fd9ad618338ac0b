import { type Reader, sql } from '@namehold/base';

/** Drafts of what is sold that wait for a rate, and what the first of them says. */
export async function waitingForRates(
  db: Reader,
  resellerId: string,
): Promise<{ readonly count: number; readonly reason: string | null }> {
  return db.one<{ count: number; reason: string | null }>(sql`
    select count(*)::integer as count, min(reason) as reason from invoice
    where reseller_id = ${resellerId} and state = 'draft' and waits_for = 'tax_rate'`);
}
