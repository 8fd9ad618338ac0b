import { type Autocommit, sql, type Tx } from '@namehold/base';
import type { Domain } from '../domain.ts';
import type { RegistryDomain } from '../registry/registry.ts';

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

/** What else the registry shows, its date above all, is taken over by a look at the name: a change is none, and leaves one due that is due. */
export async function saveUpdate(
  tx: Tx,
  id: string,
  after: UpdatedFields,
  view: Pick<RegistryDomain, 'statuses' | 'ds'>,
  now: Date,
  /** Whoever says how theft protection shall be has the last word: what a new name is owed is owed no more. */
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

/** A code that no longer counts is not kept among the orders either. */
export async function deleteAuthCodes(tx: Tx, domainId: string): Promise<void> {
  await tx.run(sql`
    update operation set secrets_sealed = null
    where domain_id = ${domainId} and kind = 'update' and secrets_sealed is not null and approval_until is null`);
}

/** The registry would not take it away today: ours is forgotten, and it is asked again later. */
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

/** Names that left us before their code ran out: the registry resets it with a transfer (RFC 9154 4.4), ours goes too. */
export async function dropCodesOfLeft(alone: Autocommit): Promise<void> {
  await alone.run(sql`
    update domain set auth_code_sealed = null, auth_code_expires_at = null
    where auth_code_expires_at is not null and state = 'removed'`);
}

/** With a second yes a code may be shown, once. */
export async function showCodeUntil(tx: Tx, id: string, until: Date): Promise<void> {
  await tx.run(sql`update domain set auth_code_shown_until = ${until} where id = ${id}`);
}

/** False: nobody has said yes to showing it, or it was shown. A code is for the two hands that asked and said yes, for no third. */
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
