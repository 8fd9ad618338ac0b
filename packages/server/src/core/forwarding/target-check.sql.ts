import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import type { Rule } from './rule.ts';

type Owned = Pick<Domain, 'id' | 'reseller_id'>;

/** Schedules checks of new and masked targets of these rules, and removes targets that no rule uses. */
export async function keepTargets(tx: Tx, domain: Owned, rules: readonly Rule[]): Promise<void> {
  const used = rules.filter((rule) => rule.enabled);
  const targets = [...new Set(used.map((rule) => rule.target))];
  await tx.run(sql`delete from forward_target where domain_id = ${domain.id} and not target = any(${targets}::text[])`);
  if (targets.length === 0) return;
  const rows = targets.map((target) => ({
    target,
    host: new URL(target).hostname,
    frame_host: used.find((rule) => rule.target === target && rule.masking)?.host ?? null,
  }));
  await tx.run(sql`
    insert into forward_target as t (domain_id, reseller_id, target, host, frame_host)
    select ${domain.id}, ${domain.reseller_id}, r.target, r.host, r.frame_host
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (target text, host text, frame_host text)
    on conflict (domain_id, target) do update
      set frame_host = excluded.frame_host, warnings = '{}', checked_at = null, check_at = now()
      where t.frame_host is distinct from excluded.frame_host`);
}

export interface TargetFound {
  readonly target: string;
  readonly warnings: readonly string[];
  readonly checked_at: Date | null;
}

export async function targetsOf(db: Reader, domain: Owned): Promise<TargetFound[]> {
  return db.many<TargetFound>(sql`
    select target, warnings, checked_at from forward_target
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id}`);
}

export interface TargetToCheck {
  readonly domain_id: string;
  readonly domain_name: string;
  readonly target: string;
  readonly host: string;
  readonly frame_host: string | null;
}

/** Due targets, one for each host, so that a server with many rules is not queried by all at once. */
export async function targetsToCheck(db: Reader, limit: number): Promise<TargetToCheck[]> {
  return db.many<TargetToCheck>(sql`
    select t.domain_id, d.name as domain_name, t.target, t.host, t.frame_host from (
      select distinct on (host) domain_id, target, host, frame_host, check_at from forward_target
      where check_at <= now() order by host, check_at) t
    join domain d on d.id = t.domain_id order by t.check_at limit ${limit}`);
}

/** Only if the rule has not changed meanwhile. `found` undefined: no result. */
export async function noteTarget(
  alone: Autocommit,
  { domain_id, target, frame_host }: TargetToCheck,
  note: { readonly found: readonly string[] | undefined; readonly now: Date; readonly againMs: number },
): Promise<void> {
  const seen = note.found === undefined ? sql`` : sql`warnings = ${note.found}::text[], checked_at = ${note.now},`;
  await alone.run(sql`
    update forward_target set ${seen} check_at = now() + ${note.againMs}::float8 * interval '1 millisecond'
    where domain_id = ${domain_id} and target = ${target} and frame_host is not distinct from ${frame_host}`);
}
