import { type Autocommit, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../../model/domain.ts';
import type { RegistryDomain } from '../../ports/registry.ts';

export type UpdatedFields = Pick<
  Domain,
  | 'nameservers'
  | 'registrant_contact_id'
  | 'admin_contact_id'
  | 'tech_contact_id'
  | 'billing_contact_id'
  | 'locked'
  | 'locked_reason'
  | 'locked_at'
  | 'suspended'
  | 'suspended_reason'
  | 'suspended_at'
  | 'suspended_open'
  | 'theft_protection'
  | 'unverified'
  | 'unpaid'
  | 'unpaid_at'
  | 'auth_code_sealed'
  | 'auth_code_expires_at'
  | 'holder_changed_at'
>;

/**
 * Other values of the registry, above all the expiry date, are taken over only by a comparison. An update is none, so a comparison that
 * is due stays due.
 */
export async function saveUpdate(
  tx: Tx,
  id: string,
  after: UpdatedFields,
  view: Pick<RegistryDomain, 'statuses' | 'ds'>,
  now: Date,
  /** An explicit setting of theft protection replaces the setting that is still due for a new domain. */
  isFlagNamed: boolean,
): Promise<void> {
  await tx.run(sql`
    update domain set nameservers = ${after.nameservers}, registrant_contact_id = ${after.registrant_contact_id},
      admin_contact_id = ${after.admin_contact_id}, tech_contact_id = ${after.tech_contact_id}, billing_contact_id = ${after.billing_contact_id},
      locked = ${after.locked}, locked_reason = ${after.locked_reason}, locked_at = ${after.locked_at},
      suspended = ${after.suspended}, suspended_reason = ${after.suspended_reason}, suspended_at = ${after.suspended_at}, suspended_open = ${after.suspended_open},
      theft_protection = ${after.theft_protection}, unverified = ${after.unverified}, unpaid = ${after.unpaid}, unpaid_at = ${after.unpaid_at}, auth_code_sealed = ${after.auth_code_sealed},
      auth_code_expires_at = ${after.auth_code_expires_at}, holder_changed_at = ${after.holder_changed_at}, ds = ${JSON.stringify(view.ds)}, registry_status = ${view.statuses},
      protect_at = case when ${isFlagNamed} then null else protect_at end, updated_at = ${now}
    where id = ${id}`);
}

/** A code that is no longer valid is deleted from the operations too. */
export async function deleteAuthCodes(tx: Tx, domainId: string): Promise<void> {
  await tx.run(sql`
    update operation set secrets_sealed = null
    where domain_id = ${domainId} and kind = 'update' and secrets_sealed is not null and approval_until is null`);
}

/** The registry refused to remove the code today: ours is deleted, and the removal is tried again later. */
export async function postponeUnset(tx: Tx, domainId: string, until: Date): Promise<void> {
  await tx.run(sql`
    update domain set auth_code_sealed = null, auth_code_expires_at = ${until} where id = ${domainId} and state not in ('removed', 'unpaid')`);
}

export async function expiredAuthCodes(
  db: Pick<Tx, 'many'>,
  now: Date,
  limit: number,
): Promise<{ id: string; reseller_id: string }[]> {
  return db.many(sql`
    select d.id, d.reseller_id from domain d
    where d.auth_code_expires_at <= ${now} and d.state = 'live' and not d.locked
      and not exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null)
    order by d.auth_code_expires_at limit ${limit}`);
}

/** Domains that left before their code expired: the registry resets it with the transfer (RFC 9154 4.4), and ours is deleted too. */
export async function dropCodesOfLeft(alone: Autocommit): Promise<void> {
  await alone.run(sql`
    update domain set auth_code_sealed = null, auth_code_expires_at = null
    where auth_code_expires_at is not null and state = 'removed'`);
}

/** After an approval a code may be shown, once. */
export async function showCodeUntil(tx: Tx, id: string, until: Date): Promise<void> {
  await tx.run(sql`update domain set auth_code_shown_until = ${until} where id = ${id}`);
}

/**
 * False: the reading was not approved, or the code was already shown. Only the two principals that requested and approved it may read
 * the code.
 */
export async function takeCodeShowing(
  tx: Tx,
  resellerId: string,
  id: string,
  requestedBy: string | null,
  now: Date,
): Promise<boolean> {
  const taken = await tx.run(sql`
    update domain set auth_code_shown_until = null
    where id = ${id} and reseller_id = ${resellerId} and auth_code_shown_until > ${now} and exists (
      select from (
        select approval from operation where domain_id = ${id} and approval ->> 'change' = 'auth_code' and approval ->> 'answer' = 'given'
        order by finished_at desc nulls last limit 1) given
      cross join lateral (values (given.approval ->> 'asked_by'), (given.approval ->> 'answered_by')) theirs (id)
      where coalesce((select k.hand from api_key k where k.id = theirs.id), theirs.id)
        = coalesce((select k.hand from api_key k where k.id = ${requestedBy} and k.reseller_id = ${resellerId}), ${requestedBy}))`);
  return taken === 1;
}
