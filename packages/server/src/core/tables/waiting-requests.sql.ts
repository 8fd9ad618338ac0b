import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';

/** Changes that wait for an approval, and whose requester has lost its access: they can only be declined. */

type RevokedKeyRow = { readonly id: string; readonly reseller_id: string };

/** Registrants confirm for themselves. */
const waits = sql`o.approval_until is not null and o.approval ->> 'awaits' is distinct from 'holders'`;

const revoked = (why: string, now: Date): Sql => sql`
  approval = o.approval || '{"requester_revoked": true}', updated_at = ${now},
  attention = o.attention || jsonb_build_object('why', ${why}::text, 'choices', coalesce(o.attention -> 'choices', '[]') - 'approve')`;

/** Requested with one of the keys, or in a customer's session that began with a password of one. */
const ofKeys = (keys: readonly RevokedKeyRow[]): Sql => sql`
  exists (
    select from unnest(${keys.map((key) => key.id)}::text[], ${keys.map((key) => key.reseller_id)}::bigint[]) as k (id, reseller_id)
    where o.reseller_id = k.reseller_id
      and (o.approval ->> 'asked_by' = k.id
        or exists (select from person_session s where s.id = o.person ->> 'session_id' and s.maker = k.id)))`;

export async function endRequestsOfKeys(tx: Tx, keys: readonly RevokedKeyRow[], now: Date): Promise<RevokedKeyRow[]> {
  const why =
    'The key that requested this change is revoked, so it cannot be approved. Decline it and request the change again.';
  return tx.many(sql`
    update operation o set ${revoked(why, now)} where ${waits} and ${ofKeys(keys)} returning o.id, o.reseller_id`);
}

export async function listRequestsOfKeys(db: Reader, keys: readonly RevokedKeyRow[]): Promise<{ id: string }[]> {
  return db.many(sql`select o.id from operation o where ${waits} and ${ofKeys(keys)} order by o.id`);
}

/** The sessions of a user or customer: one, all but one, or those in one account. */
export interface Sessions {
  readonly only?: string;
  readonly but?: string;
  readonly resellerId?: string;
}

/** `userId`: as in the audit log, so `customer:<id>` for a customer. */
export async function endRequestsOfSessions(tx: Tx, userId: string, which: Sessions, now: Date): Promise<void> {
  const why =
    'The session that requested this change was ended, so it cannot be approved. Decline it and request the change again.';
  const { only = null, but = null, resellerId = null } = which;
  await tx.run(sql`
    update operation o set ${revoked(why, now)}
    where ${waits} and o.person ->> 'id' = ${userId}
      and (${only}::text is null or o.person ->> 'session_id' = ${only}) and (${but}::text is null or o.person ->> 'session_id' <> ${but})
      and (${resellerId}::bigint is null or o.reseller_id = ${resellerId}::bigint)`);
}
