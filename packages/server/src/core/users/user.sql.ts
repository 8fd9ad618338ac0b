import { type Reader, sql, type Tx } from '@namehold/postgres';
import { asciiAddress } from '../reference/email.ts';
import { type MembershipRow, type Role, type User, userLimits } from './user.ts';

const columns = sql.raw('p.id, p.email, p.name, p.language, p.time_zone, p.disabled_at, p.created_at');

export type UserWithPassword = User & { readonly password_hash: string };

export async function findUserByEmail(db: Reader, email: string): Promise<UserWithPassword | undefined> {
  return db.maybe<UserWithPassword>(
    sql`select ${columns}, p.password_hash from person p where lower(p.email) = lower(${asciiAddress(email)})`,
  );
}

export async function findUser(db: Reader, id: string): Promise<UserWithPassword | undefined> {
  return db.maybe<UserWithPassword>(sql`select ${columns}, p.password_hash from person p where p.id = ${id}`);
}

export async function lockUser(tx: Tx, id: string): Promise<UserWithPassword | undefined> {
  return tx.maybe<UserWithPassword>(
    sql`select ${columns}, p.password_hash from person p where p.id = ${id} for update`,
  );
}

type NewUser = Pick<UserWithPassword, 'id' | 'email' | 'name' | 'password_hash' | 'created_at'>;

/** False: a user with this address already exists. */
export async function insertUser(tx: Tx, row: NewUser): Promise<boolean> {
  const made = await tx.run(sql`
    insert into person (id, email, name, password_hash, created_at)
    values (${row.id}, ${asciiAddress(row.email)}, ${row.name}, ${row.password_hash}, ${row.created_at})
    on conflict ((lower(email))) do nothing`);
  return made === 1;
}

export async function saveUser(tx: Tx, id: string, row: Pick<User, 'name' | 'language' | 'time_zone'>): Promise<User> {
  return tx.one<User>(sql`
    update person p set name = ${row.name}, language = ${row.language}, time_zone = ${row.time_zone}
    where p.id = ${id} returning ${columns}`);
}

export async function savePassword(tx: Tx, id: string, hash: string): Promise<void> {
  await tx.run(sql`update person set password_hash = ${hash} where id = ${id}`);
}

/**
 * Locks the user until the end of the transaction. False: the verified password was replaced, or the user was disabled. Hashing takes
 * too long for a transaction, so every write after a password check calls this first.
 */
export async function lockVerified(tx: Tx, { id, password_hash }: UserWithPassword): Promise<boolean> {
  const present = await lockUser(tx, id);
  return present !== undefined && present.password_hash === password_hash && present.disabled_at === null;
}

interface ListedUser extends User {
  readonly reseller_id: string | null;
  readonly role: Role | null;
  readonly scopes: string[] | null;
}

/** All users, or the members of one account; a user of several accounts has several rows. */
export async function listUsers(db: Reader, resellerId: string | undefined, limit: number): Promise<ListedUser[]> {
  return db.many<ListedUser>(sql`
    select ${columns}, m.reseller_id, m.role, m.scopes from person p left join membership m on m.person_id = p.id
    where ${resellerId ?? null}::bigint is null or m.reseller_id = ${resellerId ?? null}::bigint
    order by lower(p.email), m.reseller_id limit ${limit}`);
}

/** The user's accounts, the last used one first. */
export async function listMemberships(db: Reader, userId: string): Promise<MembershipRow[]> {
  return db.many<MembershipRow>(sql`
    select m.reseller_id, r.company, m.role, m.scopes, r.parent_id,
      case when not exists (select from passkey k where k.person_id = m.person_id)
        and not exists (select from totp o where o.person_id = m.person_id and o.confirmed_at is not null) then m.factor_due_at end as factor_due_at
    from membership m join reseller r on r.id = m.reseller_id
    where m.person_id = ${userId} and m.suspended_at is null and r.deleted_at is null order by m.used_at desc nulls last, m.created_at, m.reseller_id`);
}

/** Whether every account of the user is this one or below it. */
export async function worksOnlyBelow(db: Reader, userId: string, resellerId: string): Promise<boolean> {
  const { within } = await db.one<{ within: boolean }>(sql`
    select not exists (
      select from membership m join reseller r on r.id = m.reseller_id
      where m.person_id = ${userId} and r.deleted_at is null and not exists (
        with recursive up as (
          select r.id, r.parent_id
          union all
          select p.id, p.parent_id from reseller p join up on p.id = up.parent_id)
        select from up where up.id = ${resellerId}::bigint)) as within`);
  return within;
}

interface NewMembership {
  readonly userId: string;
  readonly resellerId: string;
  readonly role: Role;
  readonly scopes: readonly string[];
  /** Null: its own. */
  readonly hand?: string | null;
  readonly createdAt: Date;
}

/** Until when an owner or operator may sign in without a second factor. */
export const dueAt = (since: Date): Date => new Date(since.getTime() + userLimits.factorWithinMs);

/** An existing member gets the new role, and keeps the principal. */
export async function putMembership(tx: Tx, member: NewMembership): Promise<void> {
  await tx.run(sql`
    insert into membership (person_id, reseller_id, role, scopes, hand, created_at, factor_due_at)
    select ${member.userId}, r.id, ${member.role}, ${member.scopes}, ${member.hand ?? null}, ${member.createdAt},
      case when ${member.role} = 'owner' or r.parent_id is null or r.demands_factor then ${dueAt(member.createdAt)}::timestamptz end
    from reseller r where r.id = ${member.resellerId}
    on conflict (person_id, reseller_id) do update set role = excluded.role, scopes = excluded.scopes, suspended_at = null,
      factor_due_at = coalesce(membership.factor_due_at, excluded.factor_due_at)`);
}

export async function markWorkedIn(tx: Tx, userId: string, resellerId: string, now: Date): Promise<void> {
  await tx.run(sql`
    update membership set used_at = ${now} where person_id = ${userId} and reseller_id = ${resellerId}`);
}
