import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import { holdsName } from '../tables/domain.sql.ts';
import type { MailForward, TargetState } from './forward.ts';
import type { StsMode } from './mta-sts.sql.ts';
import type { MailDomainRow } from './read-routes.ts';

/** Settings of a domain's mail forwarding. */
export interface MailSettingsRow {
  readonly receive_only: boolean;
  readonly version: number;
  readonly changed_at: Date | null;
  /** The MTA-STS policy of the domain and its start. Null: none. */
  readonly sts_mode: StsMode | null;
  readonly sts_since: Date | null;
  readonly sts_enforced_until: Date | null;
}

type SavedSettings = Omit<MailSettingsRow, 'sts_mode' | 'sts_since' | 'sts_enforced_until'>;

/** Defaults of a domain without a row. */
const none: MailSettingsRow = {
  receive_only: false,
  version: 0,
  changed_at: null,
  sts_mode: null,
  sts_since: null,
  sts_enforced_until: null,
};

type Owned = Pick<Domain, 'id' | 'reseller_id'>;

export async function findMailDomain(db: Reader, domain: Owned): Promise<MailSettingsRow> {
  const row = await db.maybe<MailSettingsRow>(sql`
    select receive_only, version, changed_at, sts_mode, sts_since, sts_enforced_until from mail_domain where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id}`);
  return row ?? none;
}

/** Serialises writers of one domain, the first one included. */
export async function lockMailDomain(tx: Tx, domain: Owned): Promise<MailSettingsRow> {
  await tx.many(sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${domain.id}`}, 1600))::text as locked`);
  return findMailDomain(tx, domain);
}

/** Mail hosts are notified at commit. */
export async function saveMailDomain(tx: Tx, domain: Owned, row: SavedSettings): Promise<void> {
  await tx.many(sql`
    with saved as (
      insert into mail_domain (domain_id, reseller_id, receive_only, version, changed_at)
      values (${domain.id}, ${domain.reseller_id}, ${row.receive_only}, ${row.version}, ${row.changed_at})
      on conflict (domain_id) do update set receive_only = excluded.receive_only, version = excluded.version,
        changed_at = excluded.changed_at, changed_xid = pg_current_xact_id()
      returning domain_id)
    select pg_notify('namehold_mail', domain_id::text)::text as notified from saved`);
}

export async function forwardsOf(db: Reader, domain: Owned): Promise<MailForward[]> {
  return db.many<MailForward>(sql`
    select local_part, targets, action, spam, enabled from mail_forward
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} order by local_part`);
}

export async function putForward(tx: Tx, domain: Owned, forward: MailForward, now: Date): Promise<void> {
  const { local_part, targets, action, spam, enabled } = forward;
  await tx.run(sql`
    insert into mail_forward (domain_id, reseller_id, local_part, targets, action, spam, enabled, created_at, changed_at)
    values (${domain.id}, ${domain.reseller_id}, ${local_part}, ${targets}::text[], ${action}, ${spam}, ${enabled}, ${now}, ${now})
    on conflict (domain_id, local_part) do update set targets = excluded.targets, action = excluded.action, spam = excluded.spam,
      enabled = excluded.enabled, changed_at = excluded.changed_at`);
}

export async function deleteForwards(tx: Tx, domain: Owned, localParts: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from mail_forward
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} and local_part = any(${localParts}::text[])`);
}

/** Consent states of these addresses for a customer. A missing address has no request. */
export async function targetStatesOf(
  db: Reader,
  domain: Pick<Domain, 'reseller_id' | 'customer_id'>,
  addresses: readonly string[],
): Promise<Record<string, TargetState>> {
  const rows = await db.many<{ address: string; state: TargetState }>(sql`
    select address, state from mail_target
    where reseller_id = ${domain.reseller_id} and customer_id = ${domain.customer_id} and address = any(${addresses}::text[])`);
  return Object.fromEntries(rows.map(({ address, state }) => [address, state]));
}

/** The active domains among these, of all resellers, with their addresses. Read with the scheduler login to follow a target. */
export async function forwardsOfNames(
  db: Reader,
  names: readonly string[],
): Promise<Pick<MailDomainRow, 'domain_id' | 'name' | 'forwards'>[]> {
  return db.many<Pick<MailDomainRow, 'domain_id' | 'name' | 'forwards'>>(sql`
    select d.id as domain_id, d.name, (select coalesce(jsonb_agg(jsonb_build_object('local_part', f.local_part, 'targets', f.targets,
      'action', f.action, 'spam', f.spam, 'enabled', f.enabled)), '[]') from mail_forward f where f.domain_id = d.id) as forwards
    from domain d where d.name = any(${names}::text[]) and ${holdsName('d')}`);
}

/** Serialises writers whose addresses target domains of this service. Otherwise two concurrent writers could close a loop unseen. */
export async function lockForLoopCheck(tx: Tx): Promise<void> {
  await tx.many(sql`select pg_advisory_xact_lock(hashtext('mail circles'))::text as locked`);
}

/** Moves addresses with a domain to its new id. */
export async function moveMailDomain(tx: Tx, from: Owned, to: Owned): Promise<void> {
  await tx.many(sql`
    with moved as (
      update mail_domain set domain_id = ${to.id}, reseller_id = ${to.reseller_id}, changed_xid = pg_current_xact_id()
      where domain_id = ${from.id} returning domain_id)
    select pg_notify('namehold_mail', ${from.id})::text as left, pg_notify('namehold_mail', domain_id::text)::text as notified from moved`);
}

/** Of domains whose zones were withdrawn long ago. */
export async function purgeMail(tx: Tx, removedBefore: Date, limit: number): Promise<number> {
  const gone = await tx.many<{ domain_id: string }>(sql`
    delete from mail_domain where domain_id in (
      select m.domain_id from mail_domain m join domain d on d.id = m.domain_id
      where d.state = 'removed' and d.removed_at < ${removedBefore} limit ${limit} for update of m skip locked)
    returning domain_id, pg_notify('namehold_mail', domain_id::text)::text`);
  await tx.run(sql`delete from mail_hour where domain_id = any(${gone.map((row) => row.domain_id)}::bigint[])`);
  return gone.length;
}

/** Condition: mail of the domain is forwarded. */
export async function forwardedId(db: Reader, name: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select d.id from domain d join mail_domain m on m.domain_id = d.id where d.name = ${name} and d.state <> 'removed'`);
  return row?.id;
}
