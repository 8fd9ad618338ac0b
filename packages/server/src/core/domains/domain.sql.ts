import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain, DomainState, RemovedReason } from '../model/domain.ts';
import type { TldRules } from '../model/tld.ts';
import type { RegistrantToVerifyRow, VerificationWait } from '../model/verification.ts';
import type { DsRecord, RegistryDomain } from '../ports/registry.ts';
import { domainTable } from '../tables/domain.sql.ts';
import { rulesOfDomain } from '../tables/tld-registry.sql.ts';

/** A domain that is being ordered. */
export interface NewDomain {
  readonly domain: Domain;
  readonly rules: TldRules;
  /** The reseller's setting for new domains; null: the default of the service. */
  readonly theftProtection: boolean | null;
  /** Current handles of its contacts at the registry, by how they are shown there and their id (`plain 3001`). */
  readonly handles: Readonly<Record<string, string>>;
}

/** All data that its order needs, in one query. */
export async function readNewDomain(db: Reader, id: string): Promise<NewDomain> {
  const { rules, wants_protection, handles, ...domain } = await db.one<
    Domain & { rules: TldRules; wants_protection: boolean | null; handles: Record<string, string> | null }
  >(sql`
    select ${domainTable.of('d')}, ${rulesOfDomain} as rules, r.theft_protection as wants_protection, (
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

interface ExpiryChange {
  readonly endDate: Date | null;
  readonly registryExpiresAt: Date | null;
  readonly now: Date;
}

export async function extendExpiry(tx: Tx, id: string, change: ExpiryChange): Promise<void> {
  await tx.run(sql`
    update domain set end_date = ${change.endDate}, registry_renew_by = null, registry_expires_at = coalesce(${change.registryExpiresAt}, registry_expires_at),
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
      registry_renew_by = ${view.renewBy ?? null},
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

/** Its registry waits for a confirmation that was given here. */
export async function queueRegistryReport(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.run(sql`update domain set verify_tell_at = coalesce(verify_tell_at, ${now}) where id = ${id}`);
}
