import { type Reader, sql, type Tx } from '@namehold/postgres';
import { isStillVerified, type OpenedBy, type StoredPasswords } from '../accounts/password.ts';
import { type Access, actingCustomerId } from '../model/customer-access.ts';
import { asciiAddress } from '../reference/email.ts';
import { noState } from '../reference/state.ts';
import { endRequestsOfSessions, type Sessions } from '../tables/waiting-requests.sql.ts';
import { type SessionCredential, type SessionRow, withoutOverlap } from '../users/session.sql.ts';

export interface SigningCustomer extends StoredPasswords {
  readonly id: string;
  readonly reseller_id: string;
  readonly name: string;
  readonly email: string;
  readonly lang_id: string;
  readonly created_at: Date;
  readonly access: Access;
  readonly company: string;
  readonly temp_password_maker: string | null;
  readonly password_maker: string | null;
}

/** An active customer with access; no other can sign in. */
const canSignIn = sql`c.deleted_at is null and c.status = 'Active' and c.access <> 'none' and r.deleted_at is null`;
/** The name that customers know: that of the brand, else of the account. */
const shopName = `coalesce((select w.name from brand w where w.reseller_id = r.id), nullif(r.brand_name, ''), nullif(nullif(r.company, ''), '${noState}'), r.name)`;
/** A password that a key made is removed with the key. */
const columns =
  sql.raw(`c.id, c.reseller_id, c.name, c.email, c.lang_id, c.created_at, c.access, c.temp_password_maker, c.password_maker,
  case when not maker_has_ended(c.reseller_id, c.password_maker) then c.password_hash end as password_hash,
  case when not maker_has_ended(c.reseller_id, c.temp_password_maker) then c.temp_password_hash end as temp_password_hash,
  c.temp_password_expires_at, ${shopName} as company`);

export async function findSigningCustomer(
  db: Reader,
  resellerId: string,
  email: string,
): Promise<SigningCustomer | undefined> {
  return db.maybe<SigningCustomer>(sql`
    select ${columns} from customer c join reseller r on r.id = c.reseller_id
    where c.reseller_id = ${resellerId} and c.email_key = lower(${asciiAddress(email)}) and chain_inactive_place(r.id) is null and ${canSignIn}`);
}

export async function findSignedCustomer(db: Reader, id: string): Promise<SigningCustomer | undefined> {
  return db.maybe<SigningCustomer>(sql`
    select ${columns} from customer c join reseller r on r.id = c.reseller_id where c.id = ${id} and ${canSignIn}`);
}

/**
 * Locks the customer until the end of the transaction. False: the verified password, its own or the temporary one, was replaced, used or
 * removed since, or the customer may not sign in any more.
 */
export async function lockVerifiedCustomer(tx: Tx, verified: SigningCustomer, by: OpenedBy): Promise<boolean> {
  await tx.maybe(sql`select id from customer where id = ${verified.id} for update`);
  const present = await findSignedCustomer(tx, verified.id);
  return present !== undefined && present.access === verified.access && isStillVerified(present, verified, by);
}

/** Makes it the own password and removes the temporary one. */
export async function saveCustomerPassword(
  tx: Tx,
  resellerId: string,
  id: string,
  password: { readonly hash: string; readonly maker: string | null },
): Promise<void> {
  await tx.run(sql`
    update customer set password_hash = ${password.hash}, password_maker = ${password.maker}, temp_password_hash = null, temp_password_expires_at = null, temp_password_maker = null
    where id = ${id} and reseller_id = ${resellerId}`);
}

/** After this the customer signs in only with another invitation. */
export async function endCustomerPasswords(tx: Tx, resellerId: string, id: string, noPassword: string): Promise<void> {
  await saveCustomerPassword(tx, resellerId, id, { hash: noPassword, maker: null });
  await tx.run(sql`update customer set password_by = '{}' where id = ${id} and reseller_id = ${resellerId}`);
}

/** The keys and users that chose a password for a customer; null: one that no longer exists. */
export async function scopesOfMakers(
  db: Reader,
  resellerId: string,
  customerId: string,
): Promise<{ readonly scopes: string[] | null }[]> {
  return db.many<{ scopes: string[] | null }>(sql`
    select coalesce(k.scopes, m.scopes) as scopes
    from customer c cross join unnest(c.password_by) as maker
      left join api_key k on k.id = maker and k.reseller_id = c.reseller_id
      left join membership m on m.person_id = maker and m.reseller_id = c.reseller_id
    where c.id = ${customerId} and c.reseller_id = ${resellerId}`);
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

/** As `findSession` for users: a suspended or deleted customer, or one without access, has no session. */
export async function findCustomerSession(
  db: Reader,
  fingerprint: string,
  now: Date,
): Promise<CustomerCredential | undefined> {
  return db.maybe<CustomerCredential>(sql`
    select s.id as session_id, 'customer:' || c.id as person_id, c.name as person_name, s.reseller_id, r.parent_id, chain_inactive_place(r.id) as inactive_place,
      s.last_seen_at, s.ends_at, s.rotated_at, s.sudo_until, s.fingerprint = ${fingerprint} as is_newest, c.id as customer_id, c.access, s.is_kept, s.host
    from person_session s join customer c on c.id = s.customer_id and c.reseller_id = s.reseller_id join reseller r on r.id = s.reseller_id
    where (s.fingerprint = ${fingerprint} or (s.previous_fingerprint = ${fingerprint} and s.previous_expires_at > ${now}))
      and s.ended_at is null and s.ends_at > ${now} and not maker_has_ended(s.reseller_id, s.maker) and ${canSignIn}`);
}

interface NewCustomerSession {
  readonly id: string;
  readonly customerId: string;
  readonly resellerId: string;
  readonly fingerprint: string;
  readonly createdAt: Date;
  readonly endsAt: Date;
  readonly isKept: boolean;
  readonly sudoUntil: Date;
  /** The creator of the password that signed in; null: not a principal of the account. */
  readonly maker: string | null;
  readonly host: string | null;
  readonly address: string;
  readonly browser: string;
}

/** Ends the oldest sessions above the limit. */
export async function insertCustomerSession(tx: Tx, s: NewCustomerSession, most: number): Promise<void> {
  await tx.run(sql`
    update person_session set ended_at = ${s.createdAt} where id in (
      select id from person_session where customer_id = ${s.customerId} and ended_at is null
      order by created_at desc, id desc offset ${most - 1})`);
  await tx.run(sql`
    insert into person_session (id, customer_id, reseller_id, fingerprint, rotated_at, created_at, last_seen_at, ends_at, is_kept, sudo_until, maker, host, address, browser)
    values (${s.id}, ${s.customerId}, ${s.resellerId}, ${s.fingerprint}, ${s.createdAt}, ${s.createdAt}, ${s.createdAt}, ${s.endsAt}, ${s.isKept},
            ${s.sudoUntil}, ${s.maker}, ${s.host}, ${s.address}, ${s.browser})`);
}

/** Open sessions, the newest first. */
export async function listCustomerSessions(db: Reader, customerId: string, now: Date): Promise<SessionRow[]> {
  return db.many<SessionRow>(sql`
    select s.id, s.reseller_id, ${sql.raw(shopName)} as company, s.created_at, s.last_seen_at, s.ends_at, s.address, s.browser
    from person_session s join reseller r on r.id = s.reseller_id
    where s.customer_id = ${customerId} and s.ended_at is null and s.ends_at > ${now} and not maker_has_ended(s.reseller_id, s.maker) order by s.created_at desc, s.id desc`);
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

/** Ends all sessions of a customer but one, or with `only` just that one. Returns how many ended. */
export async function endCustomerSessions(
  tx: Tx,
  customerId: string,
  which: Pick<Sessions, 'only' | 'but'>,
  now: Date,
): Promise<number> {
  if (which.but !== undefined)
    await tx.run(
      sql`update person_session set ${withoutOverlap} where id = ${which.but} and customer_id = ${customerId}`,
    );
  return tx.run(sql`
    update person_session set ended_at = ${now} where customer_id = ${customerId} and ended_at is null and ends_at > ${now}
      and (${which.only ?? null}::text is null or id = ${which.only ?? null}) and (${which.but ?? null}::text is null or id <> ${which.but ?? null})`);
}

/** As `endCustomerSessions`, for sessions that another may have used: the changes that they requested end too. */
export async function revokeCustomerSessions(
  tx: Tx,
  customerId: string,
  which: Pick<Sessions, 'only' | 'but'>,
  now: Date,
): Promise<number> {
  await tx.run(sql`
    update person_session set revoked_at = ${now} where customer_id = ${customerId} and revoked_at is null
      and (${which.only ?? null}::text is null or id = ${which.only ?? null}) and (${which.but ?? null}::text is null or id <> ${which.but ?? null})`);
  const ended = await endCustomerSessions(tx, customerId, which, now);
  await endRequestsOfSessions(tx, actingCustomerId(customerId), which, now);
  return ended;
}

export async function findAccess(db: Reader, resellerId: string, id: string): Promise<{ access: Access } | undefined> {
  return db.maybe<{ access: Access }>(sql`
    select access from customer where id = ${id} and reseller_id = ${resellerId} and deleted_at is null`);
}

export async function setAccess(tx: Tx, resellerId: string, id: string, access: Access): Promise<void> {
  await tx.run(sql`update customer set access = ${access} where id = ${id} and reseller_id = ${resellerId}`);
}
