import { type Reader, sql, Table, type Tx } from '@namehold/base';
import type { Domain, DomainState, RemovedReason } from '../model/domain.ts';
import type { TldRules } from '../model/tld.ts';
import type { DsRecord, RegistryDomain } from '../ports/registry.ts';
import type { RegistrantToVerifyRow, VerificationWait } from '../verification/verification.ts';

export const domainTable = new Table<Domain>('domain', {
  id: 'bigint',
  reseller_id: 'bigint',
  customer_id: 'bigint',
  name: 'text',
  tld: 'text',
  registry_id: 'text',
  state: 'text',
  removed_reason: 'text?',
  removed_at: 'timestamptz?',
  registrant_contact_id: 'bigint?',
  admin_contact_id: 'bigint?',
  tech_contact_id: 'bigint?',
  billing_contact_id: 'bigint?',
  nameservers: 'text[]',
  ds: 'jsonb',
  extra: 'jsonb',
  locked: 'boolean',
  locked_reason: 'text?',
  locked_at: 'timestamptz?',
  suspended: 'boolean',
  suspended_reason: 'text?',
  suspended_at: 'timestamptz?',
  suspended_open: 'boolean',
  theft_protection: 'boolean',
  verify_since: 'timestamptz?',
  verify_by: 'timestamptz?',
  verify_cause: 'text?',
  unverified: 'boolean',
  registry_hold: 'text?',
  unpaid: 'boolean',
  unpaid_at: 'timestamptz?',
  kept_until: 'timestamptz?',
  privacy_until: 'timestamptz?',
  privacy_enabled: 'boolean',
  privacy_sent: 'boolean',
  end_date: 'timestamptz?',
  registry_expires_at: 'timestamptz?',
  registry_created_at: 'timestamptz?',
  transferred_at: 'timestamptz?',
  holder_changed_at: 'timestamptz?',
  transfer_away: 'jsonb?',
  registry_status: 'text[]',
  rgp_status: 'text[]',
  grace_ends_at: 'timestamptz?',
  redemption_ends_at: 'timestamptz?',
  deleted_at: 'timestamptz?',
  missing_since: 'timestamptz?',
  last_renewed_at: 'timestamptz?',
  synced_at: 'timestamptz?',
  compared_at: 'timestamptz?',
  watched: 'boolean',
  watched_by_operator: 'boolean',
  renewal_mode: 'text',
  renewal_max_price: 'text?',
  renewal_try_at: 'timestamptz?',
  premium_class: 'text?',
  premium_renewal_fee: 'bigint?',
  premium_currency: 'text?',
  transfer: 'jsonb?',
  auth_code_sealed: 'text?',
  auth_code_expires_at: 'timestamptz?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

/** A transfer whose auth code was refused: nothing is pending at the registry, and the domain is free for other orders. */
export const waitsForCode = (table: string) =>
  sql.raw(`(${table}.state = 'pending' and (${table}.transfer ->> 'status') is not distinct from 'code_refused')`);

/** The one row of a domain name that is active or on order; at most one (`domain_name_once`). */
export const holdsName = (table: string) =>
  sql`(${sql.raw(table)}.state not in ('removed', 'unpaid') and not ${waitsForCode(table)})`;

/** An additional condition, if the domain must belong to one customer. */
const ofCustomer = (customerId: string | undefined) =>
  customerId === undefined ? sql.raw('') : sql`and customer_id = ${customerId}`;

export async function findDomain(
  db: Reader,
  resellerId: string,
  id: string,
  customerId?: string,
): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`
    select ${domainTable.columns} from domain where id = ${id} and reseller_id = ${resellerId} ${ofCustomer(customerId)}`);
}

/**
 * The active or pending row; else a transfer that waits for a new auth code, else an unpaid order, else the latest tombstone. Refused
 * and cancelled orders are left out.
 */
export async function findDomainByName(
  db: Reader,
  resellerId: string,
  name: string,
  customerId?: string,
): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`
    select ${domainTable.columns} from domain
    where name = ${name} and reseller_id = ${resellerId} ${ofCustomer(customerId)} and coalesce(removed_reason not in ('refused', 'cancelled'), true)
    order by (state = 'removed'), (state = 'unpaid'), ${waitsForCode('domain')}, id desc limit 1`);
}

export async function lockDomain(
  tx: Tx,
  resellerId: string,
  id: string,
  customerId?: string,
): Promise<Domain | undefined> {
  return tx.maybe<Domain>(sql`
    select ${domainTable.columns} from domain where id = ${id} and reseller_id = ${resellerId} ${ofCustomer(customerId)} for update`);
}

/** For background jobs, which work for every reseller. */
export async function readDomain(db: Reader, id: string): Promise<Domain> {
  return db.one<Domain>(sql`select ${domainTable.columns} from domain where id = ${id}`);
}

/** With the rules of its TLD, in one query. */
export async function readDomainWithRules(db: Reader, id: string): Promise<{ domain: Domain; rules: TldRules }> {
  const { rules, ...domain } = await db.one<Domain & { rules: TldRules }>(
    sql`select ${domainTable.of('d')}, t.rules from domain d join tld t on t.name = d.tld where d.id = ${id}`,
  );
  return { domain, rules };
}

/** A domain that is being ordered. */
export interface NewName {
  readonly domain: Domain;
  readonly rules: TldRules;
  /** The reseller's setting for new domains; null: the default of the service. */
  readonly theftProtection: boolean | null;
  /** Current handles of its contacts at the registry, by how they are shown there and their id (`plain 3001`). */
  readonly handles: Readonly<Record<string, string>>;
}

/** All data that its order needs, in one query. */
export async function readNewDomain(db: Reader, id: string): Promise<NewName> {
  const { rules, wants_protection, handles, ...domain } = await db.one<
    Domain & { rules: TldRules; wants_protection: boolean | null; handles: Record<string, string> | null }
  >(sql`
    select ${domainTable.of('d')}, t.rules, r.theft_protection as wants_protection, (
      select jsonb_object_agg(h.shown_as || ' ' || h.contact_id, h.handle) from registry_contact h join contact c on c.id = h.contact_id
      where h.contact_id in (d.registrant_contact_id, d.admin_contact_id, d.tech_contact_id, d.billing_contact_id) and h.registry_id = d.registry_id
        and h.fingerprint = c.fingerprint) as handles
    from domain d join tld t on t.name = d.tld join reseller r on r.id = d.reseller_id where d.id = ${id}`);
  return { domain, rules, theftProtection: wants_protection, handles: handles ?? {} };
}

/** The facts of a domain that becomes active. */
interface LiveFacts {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** The end of the paid term. The registry's date may be later. */
  readonly endDate: Date | null;
  readonly now: Date;
  readonly privacyUntil: Date | null;
  readonly isProtected?: boolean;
  readonly protectAt?: Date | null;
}

function becomesLive({ endDate, expiresAt, ...facts }: LiveFacts) {
  // An auto-renewal that is not paid has its own grace period, so the domain is compared once more to record it.
  const isAhead = endDate !== null && expiresAt !== null && endDate < expiresAt;
  return sql`state = 'live', registry_created_at = ${facts.createdAt}, registry_expires_at = ${expiresAt}, end_date = ${endDate},
    privacy_until = ${facts.privacyUntil}, privacy_enabled = ${facts.privacyUntil !== null},
    privacy_sent = ${facts.privacyUntil !== null}, registry_status = ${[facts.isProtected ? 'clientTransferProhibited' : 'ok']},
    theft_protection = ${facts.isProtected ?? false}, protect_at = ${facts.protectAt ?? null}, synced_at = ${isAhead ? null : facts.now}, compared_at = ${facts.now}, updated_at = ${facts.now}`;
}

export async function markLive(tx: Tx, id: string, facts: LiveFacts): Promise<Domain | undefined> {
  return tx.maybe<Domain>(sql`
    update domain set ${becomesLive(facts)} where id = ${id} and state = 'pending' returning ${domainTable.columns}`);
}

/** `markLive` and `holder_ask` in one update of the row. Undefined: the domain was not pending, or it has no registrant. */
export async function markLiveUnverified(
  tx: Tx,
  id: string,
  facts: LiveFacts,
  wait: VerificationWait,
): Promise<{ readonly domain: Domain; readonly holder: RegistrantToVerifyRow } | undefined> {
  const row = await tx.maybe<Domain & { holder: RegistrantToVerifyRow }>(sql.kept`
    update domain d set ${becomesLive(facts)}, verify_since = ${wait.since}, verify_cause = ${wait.cause},
      verify_by = case when h.is_verified then null else ${wait.by}::timestamptz end,
      verify_tell_at = case when h.is_verified then ${wait.since}::timestamptz end, verify_reminded_at = null, verify_look_at = null
    from domain p, holder_look(p.reseller_id, p.registrant_contact_id, ${wait.lately}) h
    where p.id = ${id} and p.state = 'pending' and d.id = p.id and d.state = 'pending' returning ${domainTable.of('d')}, to_jsonb(h) as holder`);
  if (!row) return undefined;
  const { holder, ...domain } = row;
  return { domain, holder };
}

export async function markRemoved(tx: Tx, id: string, reason: RemovedReason, now: Date): Promise<void> {
  await tx.run(sql`
    update domain set state = 'removed', removed_reason = ${reason}, removed_at = ${now}, updated_at = ${now}, auth_code_sealed = null
    where id = ${id} and state <> 'removed'`);
}

export interface ExpiryChange {
  readonly endDate: Date | null;
  readonly registryExpiresAt: Date | null;
  readonly now: Date;
}

export async function extendExpiry(tx: Tx, id: string, change: ExpiryChange): Promise<void> {
  await tx.run(sql`
    update domain set end_date = ${change.endDate}, registry_expires_at = coalesce(${change.registryExpiresAt}, registry_expires_at),
      kept_until = case when coalesce(${change.registryExpiresAt}, registry_expires_at) > ${change.endDate}::timestamptz + interval '36 hours' then kept_until end,
      last_renewed_at = ${change.now}, updated_at = ${change.now}
    where id = ${id}`);
}

/** Stores the registry's view unchanged; `state` is our interpretation of it. */
export async function recordRegistryView(
  tx: Tx,
  id: string,
  view: RegistryDomain,
  state: DomainState,
  dates: { graceEndsAt: Date | null; deletedAt: Date | null; redemptionEndsAt: Date | null; now: Date },
): Promise<void> {
  await tx.run(sql`
    update domain set state = ${state}, registry_status = ${view.statuses}, rgp_status = ${view.rgpStatuses}, registry_expires_at = ${view.expiresAt},
      registry_created_at = coalesce(${view.createdAt}, registry_created_at), transferred_at = coalesce(${view.transferredAt}, transferred_at), grace_ends_at = ${dates.graceEndsAt},
      deleted_at = ${dates.deletedAt}, redemption_ends_at = ${dates.redemptionEndsAt}, missing_since = null, synced_at = ${dates.now}, updated_at = ${dates.now}
    where id = ${id} and state not in ('removed', 'unpaid')`);
}

export async function setRegistryHold(tx: Tx, id: string, hold: Domain['registry_hold']): Promise<void> {
  await tx.run(sql`update domain set registry_hold = ${hold} where id = ${id}`);
}

export async function setNameservers(tx: Tx, id: string, nameservers: readonly string[], now: Date): Promise<void> {
  await tx.run(sql`update domain set nameservers = ${nameservers}, updated_at = ${now} where id = ${id}`);
}

export async function setDs(tx: Tx, id: string, ds: readonly DsRecord[], now: Date): Promise<void> {
  await tx.run(sql`update domain set ds = ${JSON.stringify(ds)}, updated_at = ${now} where id = ${id}`);
}
