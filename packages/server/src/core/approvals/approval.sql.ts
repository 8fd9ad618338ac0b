import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Answer } from '../model/approval.ts';
import { customerOf } from '../model/customer-access.ts';
import type { Operation } from '../model/operation.ts';
import { operationColumns } from '../operations/operation.sql.ts';

export async function lockOperation(tx: Tx, resellerId: string, id: string): Promise<Operation | undefined> {
  return tx.maybe<Operation>(sql`
    select ${operationColumns} from operation where id = ${id} and reseller_id = ${resellerId} for update`);
}

/** An approved operation takes its place among the operations of the domain. A rejected or expired one ends before it starts. */
export async function recordAnswer(
  tx: Tx,
  operation: Operation,
  response: { readonly answer: Answer; readonly by: string | null; readonly at: Date; readonly wall: Date },
): Promise<Operation | undefined> {
  const isGiven = response.answer === 'given';
  const record = { answer: response.answer, answered_by: response.by, answered_at: response.at.toISOString() };
  const step = { name: 'approval', at: response.wall.toISOString(), result: response.answer };
  return tx.maybe<Operation>(sql`
    update operation set state = ${isGiven ? 'intended' : 'cancelled'}, approval_until = null, attention = null,
      approval = approval || ${JSON.stringify(record)}::jsonb, steps = steps || ${JSON.stringify([step])}::jsonb,
      secrets_sealed = case when ${isGiven} then secrets_sealed end, due_at = now(), updated_at = ${response.wall}, finished_at = ${isGiven ? null : response.wall}
    where id = ${operation.id} and reseller_id = ${operation.reseller_id} and approval_until is not null
    returning ${operationColumns}`);
}

/** Requests of one principal that wait, on one domain or for the account itself: no principal can use up the places of another. */
export async function countWaiting(
  db: Reader,
  resellerId: string,
  domainId: string | null,
  requestedBy: string,
): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(*) as n from operation o left join api_key k on k.id = o.key_id
    where o.reseller_id = ${resellerId} and o.domain_id is not distinct from ${domainId}::bigint and o.contact_id is null and o.approval_until is not null
      and coalesce(k.hand, o.person ->> 'id') = coalesce((select own.hand from api_key own where own.id = ${requestedBy} and own.reseller_id = ${resellerId}), ${requestedBy})`);
  return Number(n);
}

/**
 * Whether the requesting key was revoked, the requesting user has left the account or is suspended, the requesting customer may not sign
 * in any more, or the session of the request was revoked.
 */
export async function hasRequesterEnded(
  db: Reader,
  { reseller_id: resellerId, approval, person }: Pick<Operation, 'reseller_id' | 'approval' | 'person'>,
): Promise<boolean> {
  if (approval?.requester_revoked) return true;
  const requestedBy = approval?.asked_by ?? '';
  const customerId = customerOf(person?.id);
  const { ended } = await db.one<{ ended: boolean }>(sql`
    select ${/^(key|per)_/.test(requestedBy)}::boolean and maker_has_ended(${resellerId}, ${requestedBy})
      or exists (
        select from person_session s where s.id = ${person?.session_id ?? null} and (s.revoked_at is not null or maker_has_ended(s.reseller_id, s.maker)))
      or ${customerId}::bigint is not null and not exists (
        select from customer c where c.id = ${customerId}::bigint and c.deleted_at is null and c.status = 'Active' and c.access <> 'none') as ended`);
  return ended;
}

/** A code that this key or user has already requested. */
export async function findWaitingCode(
  db: Reader,
  domainId: string,
  requestedBy: string,
  now: Date,
): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select id from operation where domain_id = ${domainId} and coalesce(key_id, person ->> 'id') = ${requestedBy} and approval_until > ${now}
      and approval ->> 'change' = 'auth_code' order by id desc limit 1`);
  return row?.id;
}

export async function expiredApprovals(
  db: Reader,
  now: Date,
  limit: number,
): Promise<{ id: string; reseller_id: string }[]> {
  return db.many(sql`
    select id, reseller_id from operation where approval_until <= ${now} order by approval_until limit ${limit}`);
}

/** Keys and users of the account, with the principal that each of them counts as. */
const principalsOf = (resellerId: string) => sql`
  select k.id, k.hand, k.created_at from api_key k where k.reseller_id = ${resellerId}
  union all
  select m.person_id, coalesce(m.hand, m.person_id), m.created_at from membership m where m.reseller_id = ${resellerId}`;

/** Whether this key or user, or one of the same principal, moved the domain to its present customer. */
export async function isMover(db: Reader, resellerId: string, domainId: string, id: string): Promise<boolean> {
  const row = await db.maybe(sql`
    with principals as (${principalsOf(resellerId)})
    select o.id from operation o join domain d on d.id = o.domain_id
      join principals a on a.id = coalesce(o.key_id, o.person ->> 'id') join principals b on b.hand = a.hand
    where o.domain_id = ${domainId} and o.reseller_id = ${resellerId} and o.kind = 'move' and o.state = 'done' and b.id = ${id}
      and o.request ->> 'new_customer_id' = d.customer_id::text limit 1`);
  return row !== undefined;
}

/**
 * Whether the answering key or user is another principal than the requester, and existed before the request. A key shares the principal
 * of its creator, a user that of the inviter. If the requester has left the account, its principal is unknown. A customer is no
 * principal of the account, but a key or user that set a password for it may know that password. Runs on the second database login:
 * requests cannot see who is a member.
 */
export async function isOtherPrincipal(
  db: Reader,
  resellerId: string,
  keys: { readonly requestedBy: string; readonly answers: string; readonly requestedAt: Date },
): Promise<boolean> {
  const row = await db.maybe(sql`
    with principals as (${principalsOf(resellerId)})
    select b.hand from principals b
    where b.id = ${keys.answers} and b.created_at < ${keys.requestedAt}
      and (b.hand <> (select a.hand from principals a where a.id = ${keys.requestedBy})
        or exists (
          select from customer c where c.reseller_id = ${resellerId} and 'customer:' || c.id = ${keys.requestedBy} and b.hand <> all (c.password_by)
            and not exists (select from principals a where a.id = any (c.password_by) and a.hand = b.hand)))`);
  return row !== undefined;
}
