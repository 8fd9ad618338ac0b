import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import type { RegistrantToVerifyRow, VerificationWait } from '../model/verification.ts';

/**
 * Starts the wait for the registrant, unless the address is confirmed. Undefined: the domain has no registrant, so there is nothing to
 * wait for.
 */
export async function beginVerificationWait(
  tx: Tx,
  domain: { readonly id: string; readonly resellerId: string; readonly contactId: string },
  wait: VerificationWait,
): Promise<RegistrantToVerifyRow | undefined> {
  return tx.maybe<RegistrantToVerifyRow>(sql`
    select name, email, country_code, is_verified, links
    from holder_ask(${domain.resellerId}, ${domain.contactId}, ${domain.id}, ${wait.since}, ${wait.by}, ${wait.cause}, ${wait.lately})`);
}

export async function markVerified(tx: Tx, resellerId: string, addressKey: string, now: Date): Promise<void> {
  await tx.run(sql`
    insert into mail_address (reseller_id, address_key, verified_at) values (${resellerId}, ${addressKey}, ${now})
    on conflict (reseller_id, address_key) do update set verified_at = excluded.verified_at, bounced_at = null, bounce_reason = null`);
}

export interface WaitingName {
  readonly id: string;
  readonly reseller_id: string;
  readonly name: string;
  readonly unverified: boolean;
}

const ofAddress = (resellerId: string, addressKey: string) => sql`
  d.reseller_id = ${resellerId} and d.state not in ('removed', 'unpaid') and (d.verify_by is not null or d.unverified)
    and exists (select from contact c where c.id = d.registrant_contact_id and lower(c.email) = ${addressKey})`;

/** Domains that wait for this address. */
export async function namesOfAddress(
  db: Reader,
  resellerId: string,
  addressKey: string,
  limit: number,
): Promise<WaitingName[]> {
  return db.many<WaitingName>(sql`
    select d.id, d.reseller_id, d.name, d.unverified from domain d where ${ofAddress(resellerId, addressKey)} order by d.id limit ${limit}`);
}

export async function endWaiting(tx: Tx, resellerId: string, addressKey: string, now: Date): Promise<WaitingName[]> {
  return tx.many<WaitingName>(sql`
    update domain d set verify_since = coalesce(d.verify_since, ${now}), verify_by = null, verify_look_at = null, verify_tell_at = ${now}
    where ${ofAddress(resellerId, addressKey)} returning d.id, d.reseller_id, d.name, d.unverified`);
}

export interface DueName extends WaitingName {
  readonly tld: string;
  readonly registry_id: string;
  readonly registrant_contact_id: string | null;
  readonly verify_by: Date | null;
}

const dueColumns = sql.raw(
  'd.id, d.reseller_id, d.name, d.tld, d.registry_id, d.unverified, d.registrant_contact_id, d.verify_by',
);
const isFree = sql.raw(
  `not exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null)`,
);

/** Half of the time is over, and no reminder was sent. */
export async function dueForReminder(db: Reader, times: { now: Date; by: Date }, limit: number): Promise<DueName[]> {
  return db.many<DueName>(sql`
    select ${dueColumns} from domain d
    where d.verify_by > ${times.now} and d.verify_by <= ${times.by} and d.verify_reminded_at is null and d.state = 'live'
    order by d.verify_by limit ${limit}`);
}

export async function markReminded(tx: Tx, id: string, now: Date): Promise<boolean> {
  const marked = await tx.run(sql`
    update domain set verify_reminded_at = ${now} where id = ${id} and verify_by > ${now} and verify_reminded_at is null`);
  return marked === 1;
}

export async function dueForHold(db: Reader, now: Date, limit: number): Promise<DueName[]> {
  return db.many<DueName>(sql`
    select ${dueColumns} from domain d
    where d.verify_by <= ${now} and not d.unverified and d.state = 'live' and (d.verify_look_at is null or d.verify_look_at <= ${now}) and ${isFree}
    order by d.verify_by limit ${limit}`);
}

/** On hold, and not waiting any more. */
export async function dueForRelease(db: Reader, now: Date, limit: number): Promise<DueName[]> {
  return db.many<DueName>(sql`
    select ${dueColumns} from domain d
    where d.unverified and d.verify_by is null and d.state = 'live' and (d.verify_look_at is null or d.verify_look_at <= ${now}) and ${isFree}
    order by d.id limit ${limit}`);
}

export async function scheduleVerification(alone: Autocommit, id: string, at: Date): Promise<void> {
  await alone.run(sql`update domain set verify_look_at = ${at} where id = ${id}`);
}

export interface ConfirmedName {
  readonly id: string;
  readonly name: string;
  readonly tld: string;
  readonly registry_id: string;
  readonly privacy_sent: boolean;
  readonly email: string;
  readonly verified_at: Date;
}

/** Domains whose confirmation is to be reported: few, so the contact of each is looked up, whatever the plan estimates. */
export async function dueForRegistryReport(db: Reader, now: Date, limit: number): Promise<ConfirmedName[]> {
  return db.many<ConfirmedName>(sql`
    select d.id, d.name, d.tld, d.registry_id, d.privacy_sent, c.email, m.verified_at
    from domain d cross join lateral (select k.email from contact k where k.id = d.registrant_contact_id limit 1) c
      join mail_address m on m.reseller_id = d.reseller_id and m.address_key = lower(c.email) and m.verified_at is not null
    where d.verify_tell_at <= ${now} and d.state = 'live' order by d.verify_tell_at limit ${limit}`);
}

/** Null: it was reported. */
export async function scheduleRegistryReport(alone: Autocommit, id: string, at: Date | null): Promise<void> {
  await alone.run(sql`update domain set verify_tell_at = ${at} where id = ${id}`);
}

/** Domains without a data reminder for this long. */
export async function dueForDataReminder(db: Reader, before: Date, limit: number): Promise<DueName[]> {
  return db.many<DueName>(sql`
    select ${dueColumns} from domain d where d.state = 'live' and coalesce(d.data_reminded_at, d.created_at) <= ${before}
    order by coalesce(d.data_reminded_at, d.created_at) limit ${limit}`);
}

/** False: another process was first. */
export async function markDataReminded(tx: Tx, id: string, before: Date, now: Date): Promise<boolean> {
  const marked = await tx.run(sql`
    update domain set data_reminded_at = ${now} where id = ${id} and coalesce(data_reminded_at, created_at) <= ${before}`);
  return marked === 1;
}

const isHeldBy = (resellerId: string, contactId: string) => sql`
  d.reseller_id = ${resellerId} and d.registrant_contact_id = ${contactId} and d.state not in ('removed', 'pending', 'unpaid')`;

export async function countDomainsOfRegistrant(tx: Tx, resellerId: string, contactId: string): Promise<number> {
  const { n } = await tx.one<{ n: string }>(sql`
    select count(*) as n from domain d where ${isHeldBy(resellerId, contactId)}`);
  return Number(n);
}

/** Domains after this one, in the order of their ids, are still to be handled. */
export async function queueVerifications(
  tx: Tx,
  resellerId: string,
  contactId: string,
  afterId: string,
): Promise<void> {
  await tx.run(sql`
    update domain d set verify_owed = true where ${isHeldBy(resellerId, contactId)} and d.id > ${afterId}`);
}

export async function queuedVerifications(db: Reader, limit: number): Promise<{ id: string }[]> {
  return db.many(
    sql`select d.id from domain d where d.verify_owed and d.state <> 'removed' order by d.id limit ${limit}`,
  );
}

/** Undefined: another process was first, or nothing is left to do. */
export async function takeQueuedVerification(tx: Tx, id: string): Promise<DueName | undefined> {
  return tx.maybe<DueName>(sql`
    update domain d set verify_owed = false where d.id = ${id} and d.verify_owed and d.state <> 'removed' returning ${dueColumns}`);
}

/** Domains of this registrant, whose address has changed. */
export async function domainsOfRegistrant(
  tx: Tx,
  resellerId: string,
  contactId: string,
  limit: number,
): Promise<DueName[]> {
  return tx.many<DueName>(sql`
    select ${dueColumns} from domain d
    where ${isHeldBy(resellerId, contactId)} order by d.id limit ${limit}`);
}
