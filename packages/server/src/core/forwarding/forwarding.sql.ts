import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import { holdsName } from '../tables/domain.sql.ts';
import type { Rule } from './rule.ts';
import { keepTargets } from './target-check.sql.ts';

export interface ForwardingRow {
  readonly rules: Rule[];
  readonly version: number;
  readonly changed_at: Date | null;
}

/** Defaults of a domain without a row. */
const none: ForwardingRow = { rules: [], version: 0, changed_at: null };

type Owned = Pick<Domain, 'id' | 'reseller_id'>;

export async function findForwarding(db: Reader, domain: Owned): Promise<ForwardingRow> {
  const row = await db.maybe<ForwardingRow>(sql`
    select rules, version, changed_at from forwarding where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id}`);
  return row ?? none;
}

/** Serialises writers of one domain. */
export async function lockForwarding(tx: Tx, domain: Owned): Promise<ForwardingRow> {
  const row = await tx.maybe<ForwardingRow>(sql`
    select rules, version, changed_at from forwarding
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} for no key update`);
  return row ?? none;
}

/** Stores the rules with the next version; edges are notified at commit. False: another transaction was first. */
export async function saveForwarding(
  tx: Tx,
  domain: Owned,
  rules: readonly Rule[],
  from: { readonly version: number; readonly now: Date },
): Promise<boolean> {
  const row = await tx.maybe<{ notified: string }>(sql`
    with saved as (
      insert into forwarding (domain_id, reseller_id, rules, version, changed_at)
      values (${domain.id}, ${domain.reseller_id}, ${JSON.stringify(rules)}, ${from.version + 1}, ${from.now})
      on conflict (domain_id) do update
        set rules = excluded.rules, version = excluded.version, changed_at = excluded.changed_at, changed_xid = pg_current_xact_id()
        where forwarding.version = ${from.version} and forwarding.reseller_id = excluded.reseller_id
      returning domain_id)
    select pg_notify('namehold_forwarding', domain_id::text)::text as notified from saved`);
  if (row) await keepTargets(tx, domain, rules);
  return row !== undefined;
}

/** The active domains among these, of all resellers, with their rules. Read with the scheduler login to follow a target. */
export async function rulesOfNames(
  db: Reader,
  names: readonly string[],
): Promise<{ readonly name: string; readonly rules: Rule[] | null }[]> {
  return db.many<{ name: string; rules: Rule[] | null }>(sql`
    select d.name, f.rules from domain d left join forwarding f on f.domain_id = d.id
    where d.name = any(${names}::text[]) and ${holdsName('d')}`);
}

/** Serialises writers whose rules target domains of this service. Otherwise two concurrent writers could close a loop unseen. */
export async function lockForLoopCheck(tx: Tx): Promise<void> {
  await tx.many(sql`select pg_advisory_xact_lock(hashtext('forwarding circles'))::text as locked`);
}

/** Moves rules and certificate with a domain to its new id. */
export async function moveForwarding(tx: Tx, from: Owned, to: Owned): Promise<void> {
  // Dependent rows first: an update of rules would create a row for the certificate.
  for (const table of ['certificate', 'certificate_order', 'forward_target'])
    await tx.run(sql`
      update ${sql.raw(table)} set domain_id = ${to.id}, reseller_id = ${to.reseller_id} where domain_id = ${from.id}`);
  await tx.run(sql`
    with moved as (
      update forwarding set domain_id = ${to.id}, reseller_id = ${to.reseller_id}, changed_xid = pg_current_xact_id()
      where domain_id = ${from.id} returning domain_id)
    select pg_notify('namehold_forwarding', ${from.id}), pg_notify('namehold_forwarding', domain_id::text) from moved`);
}

/** Of domains whose zones were withdrawn long ago. */
export async function purgeForwarding(tx: Tx, removedBefore: Date, limit: number): Promise<number> {
  const gone = await tx.many<{ domain_id: string }>(sql`
    delete from forwarding where domain_id in (
      select f.domain_id from forwarding f join domain d on d.id = f.domain_id
      where d.state = 'removed' and d.removed_at < ${removedBefore} limit ${limit} for update of f skip locked)
    returning domain_id, pg_notify('namehold_forwarding', domain_id::text)::text`);
  const ids = gone.map((row) => row.domain_id);
  if (ids.length > 0)
    for (const table of ['certificate', 'certificate_order', 'forward_hour', 'forward_target'])
      await tx.run(sql`delete from ${sql.raw(table)} where domain_id = any(${ids}::bigint[])`);
  return gone.length;
}
