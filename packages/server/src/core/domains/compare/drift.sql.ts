import { sql, type Tx } from '@namehold/postgres';

export type DriftAction = 'repaired' | 'adopted' | 'reported';

export interface Drift {
  readonly field: string;
  readonly ours: unknown;
  readonly theirs: unknown;
  readonly action: DriftAction;
}

/** False if the same difference was recorded last: a lasting difference is recorded once. */
export async function recordDrift(
  tx: Tx,
  domain: { readonly id: string; readonly reseller_id: string },
  drift: Drift,
  now: Date,
): Promise<boolean> {
  const [ours, theirs] = [JSON.stringify(drift.ours ?? null), JSON.stringify(drift.theirs ?? null)];
  const inserted = await tx.run(sql`
    insert into drift (reseller_id, domain_id, field, ours, theirs, action, found_at)
    select ${domain.reseller_id}, ${domain.id}, ${drift.field}, ${ours}::jsonb, ${theirs}::jsonb, ${drift.action}, ${now}
    where ${drift.action} <> 'reported' or not exists (
      select from (select l.ours, l.theirs from drift l where l.domain_id = ${domain.id} and l.field = ${drift.field} order by l.id desc limit 1) last
      where last.ours = ${ours}::jsonb and last.theirs = ${theirs}::jsonb)`);
  return inserted === 1;
}
