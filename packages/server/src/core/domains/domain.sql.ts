import { type Queryable, sql, type Tx } from '@namehold/base';
import type { TldRules } from '../tlds/tld.ts';
import type { Domain, DomainState, RemovedReason } from './domain.ts';
import type { DsRecord, RegistryDomain } from './registry/registry.ts';

export interface NewDomain {
  readonly resellerId: string;
  readonly customerId: string;
  readonly name: string;
  readonly tld: string;
  readonly registryId: string;
  readonly contacts: { registrant: string | null; admin: string | null; tech: string | null; billing: string | null };
  readonly nameservers: readonly string[];
  readonly extra: object;
  readonly premium: { class: string; renewalFee: bigint | null; currency: string } | null;
  readonly now: Date;
}

/** Violates `domain_name_once` where the name is live or pending already. */
export async function insertDomain(tx: Tx, d: NewDomain): Promise<string> {
  const { id } = await tx.one<{ id: string }>(sql`
    insert into domain (reseller_id, customer_id, name, tld, registry_id, state, registrant_contact_id, admin_contact_id, tech_contact_id,
                        billing_contact_id, nameservers, extra, premium_class, premium_renewal_fee, premium_currency, created_at, updated_at)
    values (${d.resellerId}, ${d.customerId}, ${d.name}, ${d.tld}, ${d.registryId}, 'pending', ${d.contacts.registrant}, ${d.contacts.admin},
            ${d.contacts.tech}, ${d.contacts.billing}, ${d.nameservers}, ${JSON.stringify(d.extra)}, ${d.premium?.class ?? null},
            ${d.premium?.renewalFee ?? null}, ${d.premium?.currency ?? null}, ${d.now}, ${d.now})
    returning id`);
  return id;
}

export async function findDomain(db: Queryable, resellerId: string, id: string): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`select * from domain where id = ${id} and reseller_id = ${resellerId}`);
}

/** The live or pending one; else the latest tombstone. An order that came to nothing never was a name of theirs. */
export async function findDomainByName(db: Queryable, resellerId: string, name: string): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`
    select * from domain
    where name = ${name} and reseller_id = ${resellerId} and coalesce(removed_reason not in ('refused', 'cancelled'), true)
    order by (state = 'removed'), id desc limit 1`);
}

export async function lockDomain(tx: Tx, resellerId: string, id: string): Promise<Domain | undefined> {
  return tx.maybe<Domain>(sql`select * from domain where id = ${id} and reseller_id = ${resellerId} for update`);
}

/** For the clockwork, which works for every reseller. */
export async function readDomain(db: Queryable, id: string): Promise<Domain> {
  return db.one<Domain>(sql`select * from domain where id = ${id}`);
}

/** With the rules of its TLD, in one question. */
export async function readDomainWithRules(db: Queryable, id: string): Promise<{ domain: Domain; rules: TldRules }> {
  const { rules, ...domain } = await db.one<Domain & { rules: TldRules }>(
    sql`select d.*, t.rules from domain d join tld t on t.name = d.tld where d.id = ${id}`,
  );
  return { domain, rules };
}

export async function markLive(
  tx: Tx,
  id: string,
  facts: {
    createdAt: Date;
    expiresAt: Date | null;
    now: Date;
    privacyUntil: Date | null;
    isRegistration: boolean;
    isProtected?: boolean;
    protectAt?: Date | null;
  },
): Promise<void> {
  await tx.run(sql`
    update domain set state = 'live', registry_created_at = ${facts.createdAt}, registry_expires_at = ${facts.expiresAt}, end_date = ${facts.expiresAt},
      privacy_until = ${facts.privacyUntil}, privacy_enabled = ${facts.privacyUntil !== null},
      privacy_sent = ${facts.privacyUntil !== null}, registry_status = ${[facts.isProtected ? 'clientTransferProhibited' : 'ok']},
      theft_protection = ${facts.isProtected ?? false}, protect_at = ${facts.protectAt ?? null}, synced_at = ${facts.now}, compared_at = ${facts.now}, updated_at = ${facts.now}
    where id = ${id} and state = 'pending'`);
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
      last_renewed_at = ${change.now}, updated_at = ${change.now}
    where id = ${id}`);
}

/** What the registry says, as it says it; `state` is what that means for us. */
export async function recordRegistryView(
  tx: Tx,
  id: string,
  view: RegistryDomain,
  state: DomainState,
  dates: { graceEndsAt: Date | null; deletedAt: Date | null; redemptionEndsAt: Date | null; now: Date },
): Promise<void> {
  await tx.run(sql`
    update domain set state = ${state}, registry_status = ${view.statuses}, rgp_status = ${view.rgpStatuses}, registry_expires_at = ${view.expiresAt},
      registry_created_at = coalesce(${view.createdAt}, registry_created_at), grace_ends_at = ${dates.graceEndsAt},
      deleted_at = ${dates.deletedAt}, redemption_ends_at = ${dates.redemptionEndsAt}, missing_since = null, synced_at = ${dates.now}, updated_at = ${dates.now}
    where id = ${id} and state <> 'removed'`);
}

export async function setNameservers(tx: Tx, id: string, nameservers: readonly string[], now: Date): Promise<void> {
  await tx.run(sql`update domain set nameservers = ${nameservers}, updated_at = ${now} where id = ${id}`);
}

export async function setDs(tx: Tx, id: string, ds: readonly DsRecord[], now: Date): Promise<void> {
  await tx.run(sql`update domain set ds = ${JSON.stringify(ds)}, updated_at = ${now} where id = ${id}`);
}
