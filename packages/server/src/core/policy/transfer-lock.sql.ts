import { type Reader, sql } from '@namehold/postgres';
import type { LockAfter, LockRule } from './lock.ts';
import type { TldClass } from './tld-class.ts';

/** For each event the rule that was in force then. */
export async function rulesInForce(
  db: Reader,
  tldClass: TldClass,
  happened: readonly { readonly after: LockAfter; readonly at: Date }[],
): Promise<LockRule[]> {
  if (happened.length === 0) return [];
  return db.many<LockRule>(sql`
    select distinct on (h.after, l.against) h.after, h.at, l.against, l.hours
    from jsonb_to_recordset(${JSON.stringify(happened)}::jsonb) as h (after text, at timestamptz)
    join transfer_lock l on l.tld_class = ${tldClass} and l.after = h.after and l.valid_from <= h.at
    order by h.after, l.against, l.valid_from desc`);
}
