import { type Reader, sql, type Tx } from '@namehold/postgres';
import { asciiAddress } from '../reference/email.ts';
import { isSessionRevoked } from './session.sql.ts';
import { type Role, userLimits } from './user.ts';

/** A code that is used once, without its secret. */
export interface UserCode {
  readonly id: string;
  readonly purpose: 'invite' | 'recover';
  readonly email: string;
  readonly reseller_id: string | null;
  readonly role: Role | null;
  readonly scopes: string[] | null;
  readonly person_id: string | null;
  /** The principal that made it; null: the service. */
  readonly hand: string | null;
  readonly made_by: string | null;
  /** The session that made it; it ends if that is revoked. */
  readonly made_in: string | null;
  /** It was sent to its address and shown to no user. */
  readonly is_mailed: boolean;
  /** It makes the first owner of an account. */
  readonly claims: boolean;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const columns = sql.raw(
  'id, purpose, email, reseller_id, role, scopes, person_id, hand, made_by, made_in, is_mailed, claims, created_at, expires_at',
);

const isOver = isSessionRevoked(sql`made_in`);

export async function insertCode(tx: Tx, row: UserCode, fingerprint: string): Promise<void> {
  await tx.run(sql`
    insert into person_code (id, purpose, fingerprint, email, reseller_id, role, scopes, person_id, hand, made_by, made_in, is_mailed, claims, created_at, expires_at)
    values (${row.id}, ${row.purpose}, ${fingerprint}, ${row.email}, ${row.reseller_id}, ${row.role}, ${row.scopes}, ${row.person_id}, ${row.hand},
            ${row.made_by}, ${row.made_in}, ${row.is_mailed}, ${row.claims}, ${row.created_at}, ${row.expires_at})`);
}

export async function findOpenCode(db: Reader, fingerprint: string, now: Date): Promise<UserCode | undefined> {
  return db.maybe<UserCode>(sql`
    select ${columns} from person_code
    where fingerprint = ${fingerprint} and used_at is null and expires_at > ${now} and misses < ${userLimits.codeMisses} and not ${isOver}`);
}

/** Counted before the password is verified, so that parallel requests get no additional tries. */
export async function countCodeMiss(tx: Tx, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update person_code set misses = misses + 1 where id = ${id} and used_at is null and misses < ${userLimits.codeMisses}`);
  return changed === 1;
}

/** False if another request was first. */
export async function useCode(tx: Tx, id: string, now: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update person_code set used_at = ${now}, misses = misses - 1 where id = ${id} and used_at is null and expires_at > ${now} and not ${isOver}`);
  return changed === 1;
}

/** A new code ends earlier ones for the same purpose. */
export async function endCodes(
  tx: Tx,
  of: { readonly email: string; readonly resellerId: string | null },
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update person_code set expires_at = ${now}
    where lower(email) = lower(${asciiAddress(of.email)}) and reseller_id is not distinct from ${of.resellerId}::bigint and used_at is null and expires_at > ${now}`);
}

/**
 * Ends links for a new password: the mailed ones, or also the codes of the operator. The user is locked, so that two new ones do not
 * both stay.
 */
export async function endRecoveryCodes(
  tx: Tx,
  userId: string,
  now: Date,
  which: { readonly onlyMailed?: true } = {},
): Promise<void> {
  await tx.run(sql`select id from person where id = ${userId} for update`);
  await tx.run(sql`
    update person_code set expires_at = ${now}
    where person_id = ${userId} and purpose = 'recover' and used_at is null and expires_at > ${now} and (is_mailed or not ${which.onlyMailed ?? false}::boolean)`);
}

/** Valid invitations to the account, the newest first. */
export async function listInvitations(db: Reader, resellerId: string, now: Date): Promise<UserCode[]> {
  return db.many<UserCode>(sql`
    select ${columns} from person_code
    where reseller_id = ${resellerId} and purpose = 'invite' and used_at is null and expires_at > ${now} and misses < ${userLimits.codeMisses} and not ${isOver}
    order by created_at desc, id desc`);
}

export async function endInvitation(tx: Tx, resellerId: string, id: string, now: Date): Promise<UserCode | undefined> {
  return tx.maybe<UserCode>(sql`
    update person_code set expires_at = ${now}
    where id = ${id} and reseller_id = ${resellerId} and purpose = 'invite' and used_at is null and expires_at > ${now} returning ${columns}`);
}

/** Ends the codes that a user made for others, and those made for the user, together with the user's role. */
export async function endCodesOf(
  tx: Tx,
  of: { readonly userId: string; readonly email: string; readonly resellerId: string },
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update person_code set expires_at = ${now}
    where reseller_id = ${of.resellerId} and (made_by = ${of.userId} or lower(email) = lower(${asciiAddress(of.email)})) and used_at is null and expires_at > ${now}`);
}

export async function deleteOldCodes(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    delete from person_code where id in (select id from person_code where expires_at < ${before} order by expires_at limit ${limit})`);
}
