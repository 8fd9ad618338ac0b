import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import { pageOfNewest } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';
import type { TargetState } from './forward.ts';

export interface MailTarget {
  readonly id: string;
  readonly reseller_id: string;
  readonly customer_id: string;
  readonly address: string;
  readonly state: TargetState;
  readonly created_at: Date;
  readonly asked_at: Date | null;
  readonly lapses_at: Date | null;
  /** A daily limit delays the request until then. */
  readonly request_due_at: Date | null;
  readonly confirmed_at: Date | null;
  readonly stopped_at: Date | null;
}

const columns = sql.raw(
  't.id, t.reseller_id, t.customer_id, t.address, t.state, t.created_at, t.asked_at, t.lapses_at, t.request_due_at, t.confirmed_at, t.stopped_at',
);

/** The row of an address and a customer; created without a request. */
export async function ensureTarget(
  tx: Tx,
  target: Pick<MailTarget, 'id' | 'reseller_id' | 'customer_id' | 'address' | 'created_at'>,
): Promise<MailTarget> {
  await tx.run(sql`
    insert into mail_target (id, reseller_id, customer_id, address, state, created_at)
    values (${target.id}, ${target.reseller_id}, ${target.customer_id}, ${target.address}, 'waiting', ${target.created_at})
    on conflict (customer_id, address) do nothing`);
  return tx.one<MailTarget>(sql`
    select ${columns} from mail_target t
    where t.reseller_id = ${target.reseller_id} and t.customer_id = ${target.customer_id} and t.address = ${target.address} for no key update`);
}

export async function findTarget(
  db: Reader,
  { resellerId, customerId = null }: { readonly resellerId: string; readonly customerId?: string | null | undefined },
  id: string,
): Promise<MailTarget | undefined> {
  return db.maybe<MailTarget>(sql`
    select ${columns} from mail_target t
    where t.id = ${id} and t.reseller_id = ${resellerId} and (${customerId}::bigint is null or t.customer_id = ${customerId})`);
}

export async function lockTarget(tx: Tx, id: string): Promise<MailTarget | undefined> {
  return tx.maybe<MailTarget>(sql`select ${columns} from mail_target t where t.id = ${id} for no key update`);
}

export interface TargetFilter {
  readonly state?: TargetState | undefined;
  readonly customerId?: string | undefined;
}

export async function listTargetRows(
  db: Reader,
  resellerId: string,
  filter: TargetFilter,
  page: Page,
): Promise<Listed<MailTarget>> {
  const { state = null, customerId = null } = filter;
  const where = sql`t.reseller_id = ${resellerId} and (${state}::text is null or t.state = ${state})
    and (${customerId}::bigint is null or t.customer_id = ${customerId})`;
  return pageOfNewest<MailTarget>(db, columns, { table: sql`mail_target t`, where, id: sql`t.id` }, page);
}

/** A consent request was sent. */
export async function markRequested(tx: Tx, id: string, now: Date, expiresAtTime: Date): Promise<void> {
  await tx.run(sql`
    update mail_target set state = 'waiting', asked_at = ${now}, lapses_at = ${expiresAtTime}, request_due_at = null, failures = 0, failures_since = null where id = ${id}`);
}

/** A consent request is delayed. */
export async function markRequestDelayed(tx: Tx, id: string, until: Date): Promise<void> {
  await tx.run(sql`
    update mail_target set state = 'waiting', asked_at = null, lapses_at = null, request_due_at = ${until} where id = ${id}`);
}

export async function setTargetState(tx: Tx, id: string, state: TargetState, now: Date): Promise<void> {
  await tx.run(sql`
    update mail_target set state = ${state}, request_due_at = null, failures = 0, failures_since = null,
      confirmed_at = case when ${state} = 'confirmed' then ${now}::timestamptz else confirmed_at end,
      stopped_at = case when ${state} = 'stopped' then ${now}::timestamptz else null end
    where id = ${id}`);
}

/** Serialises consent requests to an address, so that the limit holds until the mail is written. */
export async function lockTargetAddress(tx: Tx, address: string): Promise<void> {
  await tx.many(sql`select pg_advisory_xact_lock(hashtextextended(mailbox_key(${address}), 1601))::text as locked`);
}

interface Requests {
  readonly address: string;
  readonly since: Date;
  /** Only those of this customer. */
  readonly customerId?: string;
  /** Which of them, counted from the newest. */
  readonly place: number;
}

/**
 * When a consent request to the mailbox was sent. With the scheduler login over all resellers; in a transaction those of the account,
 * with its own, which are not yet visible to others. Undefined: there are fewer.
 */
export async function consentRequestAt(db: Reader, requests: Requests): Promise<Date | undefined> {
  const { address, since, customerId = null, place } = requests;
  const row = await db.maybe<{ created_at: Date }>(sql`
    select c.created_at from confirmation c
    where mailbox_key(c.address_key) = mailbox_key(${address}) and c.mail_target_id is not null and c.created_at > ${since}
      and (${customerId}::bigint is null or exists (select from mail_target t where t.id = c.mail_target_id and t.customer_id = ${customerId}))
    order by c.created_at desc offset ${place - 1} limit 1`);
  return row?.created_at;
}

/** Over all resellers, with the scheduler login: the latest decision of the owner was a rejection. */
export async function isUnwanted(db: Reader, address: string): Promise<boolean> {
  const { unwanted } = await db.one<{ unwanted: boolean }>(sql`
    select coalesce(max(stopped_at) filter (where state = 'stopped') > coalesce(max(confirmed_at) filter (where state = 'confirmed'), '-infinity'), false) as unwanted
    from mail_target where mailbox_key(address) = mailbox_key(${address})`);
  return unwanted;
}

/** Pending targets of this address, of all resellers. */
export async function lockWaitingFor(tx: Tx, address: string, limit: number): Promise<MailTarget[]> {
  return tx.many<MailTarget>(sql`
    select ${columns} from mail_target t where t.address = ${address} and t.state = 'waiting' order by t.id limit ${limit} for no key update`);
}

/** Domains of the customer with this target. */
export async function namesOfTarget(
  db: Reader,
  target: Pick<MailTarget, 'customer_id' | 'address'>,
  limit: number,
): Promise<{ id: string; name: string; local_parts: string[] }[]> {
  return db.many(sql`
    select d.id, d.name, array(
        select f.local_part from mail_forward f
        where f.domain_id = d.id and f.enabled and f.targets @> array[${target.address}::text] order by f.local_part) as local_parts
    from domain d
    where d.customer_id = ${target.customer_id} and d.state <> 'removed'
      and exists (select from mail_forward f where f.domain_id = d.id and f.targets @> array[${target.address}::text])
    order by d.name limit ${limit}`);
}

/** The local parts of a domain whose mail is to be forwarded to this address. */
export async function localPartsTo(tx: Tx, domainId: string, address: string): Promise<string[]> {
  const rows = await tx.many<{ local_part: string }>(sql`
    select local_part from mail_forward
    where domain_id = ${domainId} and enabled and targets @> array[${address}::text] order by local_part`);
  return rows.map((row) => row.local_part);
}

/** Of pending requests for a domain, the first expiry date, and their number. */
export async function nextToExpire(
  db: Reader,
  domain: Pick<Domain, 'id' | 'reseller_id' | 'customer_id'>,
): Promise<{ address: string; lapses_at: Date; waiting: string } | undefined> {
  return db.maybe(sql`
    select t.address, t.lapses_at, count(*) over () as waiting from mail_target t
    where t.reseller_id = ${domain.reseller_id} and t.customer_id = ${domain.customer_id} and t.state = 'waiting' and t.lapses_at is not null
      and exists (select from mail_forward f where f.domain_id = ${domain.id} and f.enabled and f.targets @> array[t.address])
    order by t.lapses_at, t.address limit 1`);
}

/** A delayed request is due, or a request expired. */
export async function dueTargets(db: Reader, now: Date, limit: number): Promise<MailTarget[]> {
  return db.many<MailTarget>(sql`
    select ${columns} from mail_target t where t.state = 'waiting' and coalesce(t.request_due_at, t.lapses_at, t.created_at) <= ${now}
    order by coalesce(t.request_due_at, t.lapses_at, t.created_at) limit ${limit}`);
}

/** Counts a refusal, or starts the count again after the period. Undefined: the target gets no mail. */
export async function countFailure(
  tx: Tx,
  failed: { readonly domainId: string; readonly address: string; readonly now: Date; readonly since: Date },
): Promise<(MailTarget & { readonly failures: number }) | undefined> {
  return tx.maybe<MailTarget & { readonly failures: number }>(sql`
    update mail_target t set
      failures = case when t.failures_since > ${failed.since} then t.failures + 1 else 1 end,
      failures_since = case when t.failures_since > ${failed.since} then t.failures_since else ${failed.now} end
    from domain d
    where d.id = ${failed.domainId} and t.customer_id = d.customer_id and t.address = ${failed.address} and t.state = 'confirmed'
    returning ${columns}, t.failures`);
}
