import { type Reader, sql, type Tx } from '@namehold/base';
import type { StoredPasswords } from '../accounts/password.ts';
import type { SessionCredential, SessionRow } from '../people/session.sql.ts';
import type { Access } from './access.ts';

export interface SigningCustomer extends StoredPasswords {
  readonly id: string;
  readonly reseller_id: string;
  readonly name: string;
  readonly email: string;
  readonly lang_id: string;
  readonly created_at: Date;
  readonly access: Access;
  readonly company: string;
}

/** In good standing, with some access, of an account in good standing; nobody else signs in. */
const standing = sql`c.deleted_at is null and c.status = 'Active' and c.access <> 'none' and r.deleted_at is null`;
const columns =
  sql.raw(`c.id, c.reseller_id, c.name, c.email, c.lang_id, c.created_at, c.access, c.password_hash, c.temp_password_hash,
  c.temp_password_expires_at, coalesce(nullif(r.brand_name, ''), r.company) as company`);

export async function findSigningCustomer(
  db: Reader,
  resellerId: string,
  email: string,
): Promise<SigningCustomer | undefined> {
  return db.maybe<SigningCustomer>(sql`
    select ${columns} from customer c join reseller r on r.id = c.reseller_id
    where c.reseller_id = ${resellerId} and c.email_key = lower(${email}) and r.status = 'Active' and ${standing}`);
}

export async function findSignedCustomer(db: Reader, id: string): Promise<SigningCustomer | undefined> {
  return db.maybe<SigningCustomer>(sql`
    select ${columns} from customer c join reseller r on r.id = c.reseller_id where c.id = ${id} and ${standing}`);
}

/** The password becomes the own one; a temporary one has done its work. */
export async function saveCustomerPassword(tx: Tx, resellerId: string, id: string, hash: string): Promise<void> {
  await tx.run(sql`
    update customer set password_hash = ${hash}, temp_password_hash = null, temp_password_expires_at = null
    where id = ${id} and reseller_id = ${resellerId}`);
}

export interface CustomerCredential
  extends Omit<
    SessionCredential,
    'role' | 'scopes' | 'awaits_factor_until' | 'factor_due_at' | 'passkeys' | 'passkeys_here' | 'has_totp'
  > {
  readonly customer_id: string;
  readonly access: Access;
  readonly is_kept: boolean;
}

/** As `findSession` for people: who is suspended, deleted or without access has no session. */
export async function findCustomerSession(
  db: Reader,
  fingerprint: string,
  now: Date,
): Promise<CustomerCredential | undefined> {
  return db.maybe<CustomerCredential>(sql`
    select s.id as session_id, 'customer:' || c.id as person_id, c.name as person_name, s.reseller_id, r.parent_id, r.status as reseller_status,
      s.last_seen_at, s.ends_at, s.rotated_at, s.sudo_until, s.fingerprint = ${fingerprint} as is_newest, c.id as customer_id, c.access, s.is_kept, s.host
    from person_session s join customer c on c.id = s.customer_id and c.reseller_id = s.reseller_id join reseller r on r.id = s.reseller_id
    where (s.fingerprint = ${fingerprint} or (s.previous_fingerprint = ${fingerprint} and s.previous_expires_at > ${now}))
      and s.ended_at is null and s.ends_at > ${now} and ${standing}`);
}

export interface NewCustomerSession {
  readonly id: string;
  readonly customerId: string;
  readonly resellerId: string;
  readonly fingerprint: string;
  readonly createdAt: Date;
  readonly endsAt: Date;
  readonly isKept: boolean;
  readonly sudoUntil: Date;
  readonly host: string | null;
  readonly address: string;
  readonly browser: string;
}

/** The oldest make room. */
export async function insertCustomerSession(tx: Tx, s: NewCustomerSession, most: number): Promise<void> {
  await tx.run(sql`
    update person_session set ended_at = ${s.createdAt} where id in (
      select id from person_session where customer_id = ${s.customerId} and ended_at is null
      order by created_at desc, id desc offset ${most - 1})`);
  await tx.run(sql`
    insert into person_session (id, customer_id, reseller_id, fingerprint, rotated_at, created_at, last_seen_at, ends_at, is_kept, sudo_until, host, address, browser)
    values (${s.id}, ${s.customerId}, ${s.resellerId}, ${s.fingerprint}, ${s.createdAt}, ${s.createdAt}, ${s.createdAt}, ${s.endsAt}, ${s.isKept},
            ${s.sudoUntil}, ${s.host}, ${s.address}, ${s.browser})`);
}

/** Those that are open, the newest first. */
export async function listCustomerSessions(db: Reader, customerId: string, now: Date): Promise<SessionRow[]> {
  return db.many<SessionRow>(sql`
    select s.id, s.reseller_id, coalesce(nullif(r.brand_name, ''), r.company) as company, s.created_at, s.last_seen_at, s.ends_at, s.address, s.browser
    from person_session s join reseller r on r.id = s.reseller_id
    where s.customer_id = ${customerId} and s.ended_at is null and s.ends_at > ${now} order by s.created_at desc, s.id desc`);
}

export interface CustomerSessionRow {
  readonly id: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly ends_at: Date;
  readonly is_kept: boolean;
}

export async function findOwnCustomerSession(
  db: Reader,
  customerId: string,
  id: string,
): Promise<CustomerSessionRow | undefined> {
  return db.maybe<CustomerSessionRow>(sql`
    select s.id, s.created_at, s.last_seen_at, s.ends_at, s.is_kept from person_session s where s.id = ${id} and s.customer_id = ${customerId}`);
}

/** All of a customer's but one, or with `only` just that one. How many ended. */
export async function endCustomerSessions(
  tx: Tx,
  customerId: string,
  which: { readonly only?: string; readonly but?: string },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update person_session set ended_at = ${now} where customer_id = ${customerId} and ended_at is null and ends_at > ${now}
      and (${which.only ?? null}::text is null or id = ${which.only ?? null}) and (${which.but ?? null}::text is null or id <> ${which.but ?? null})`);
}

export async function findAccess(db: Reader, resellerId: string, id: string): Promise<{ access: Access } | undefined> {
  return db.maybe<{ access: Access }>(sql`
    select access from customer where id = ${id} and reseller_id = ${resellerId} and deleted_at is null`);
}

export async function setAccess(tx: Tx, resellerId: string, id: string, access: Access): Promise<void> {
  await tx.run(sql`update customer set access = ${access} where id = ${id} and reseller_id = ${resellerId}`);
}
