import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Role, User } from './user.ts';

/** A user as one account sees it. */
export interface Member extends Pick<User, 'email' | 'name' | 'language' | 'disabled_at'> {
  readonly person_id: string;
  readonly reseller_id: string;
  readonly role: Role;
  readonly scopes: string[];
  readonly suspended_at: Date | null;
  readonly joined_at: Date;
  /** In this account. */
  readonly last_seen_at: Date | null;
  readonly sessions: number;
  readonly has_factor: boolean;
  /** When its second factors are removed; null: not requested. */
  readonly factors_end_at: Date | null;
}

const members = (resellerId: string, now: Date | null) => sql`
  select m.person_id, m.reseller_id, p.email, p.name, p.language, p.disabled_at, m.role, m.scopes, m.suspended_at, m.created_at as joined_at, s.last_seen_at,
    coalesce(s.open, 0)::int as sessions, f.due_at as factors_end_at,
    (exists (select from passkey k where k.person_id = m.person_id)
      or exists (select from totp o where o.person_id = m.person_id and o.confirmed_at is not null)) as has_factor
  from membership m join person p on p.id = m.person_id left join factor_reset f on f.person_id = m.person_id and f.reseller_id = m.reseller_id
    left join lateral (
      select max(last_seen_at) as last_seen_at, count(*) filter (where ended_at is null and ends_at > ${now}) as open
      from person_session where person_id = m.person_id and reseller_id = m.reseller_id) s on true
  where m.reseller_id = ${resellerId}`;

export async function listMembers(db: Reader, resellerId: string, now: Date, limit: number): Promise<Member[]> {
  return db.many<Member>(sql`${members(resellerId, now)} order by lower(p.email) limit ${limit}`);
}

export async function findMember(
  db: Reader,
  resellerId: string,
  userId: string,
  now: Date | null = null,
): Promise<Member | undefined> {
  return db.maybe<Member>(sql`${members(resellerId, now)} and m.person_id = ${userId}`);
}

export async function countMembers(db: Reader, resellerId: string): Promise<number> {
  const { n } = await db.one<{ n: string }>(
    sql`select count(*) as n from membership where reseller_id = ${resellerId}`,
  );
  return Number(n);
}

/** Serialises changes of an account's members. False: there is no such account. */
export async function lockAccount(tx: Tx, resellerId: string): Promise<boolean> {
  const row = await tx.maybe(
    sql`select id from reseller where id = ${resellerId} and deleted_at is null for no key update`,
  );
  return row !== undefined;
}

/** Members who can sign in. */
export async function countOwners(db: Reader, resellerId: string): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(*) as n from membership m join person p on p.id = m.person_id
    where m.reseller_id = ${resellerId} and m.role = 'owner' and m.suspended_at is null and p.disabled_at is null`);
  return Number(n);
}

export async function saveMember(
  tx: Tx,
  row: Pick<Member, 'person_id' | 'reseller_id' | 'role' | 'scopes' | 'suspended_at'>,
  factorDueAt: Date,
): Promise<void> {
  await tx.run(sql`
    update membership set role = ${row.role}, scopes = ${row.scopes}, suspended_at = ${row.suspended_at},
      factor_due_at = case when ${row.role} = 'owner' or r.demands_factor then coalesce(factor_due_at, ${factorDueAt}) else factor_due_at end
    from reseller r where r.id = membership.reseller_id and person_id = ${row.person_id} and reseller_id = ${row.reseller_id}`);
}

export async function isTwoFactorRequired(db: Reader, resellerId: string): Promise<boolean> {
  const { demands_factor } = await db.one<{ demands_factor: boolean }>(
    sql`select demands_factor from reseller where id = ${resellerId}`,
  );
  return demands_factor;
}

/** Of all members, or only of those who must have one anyway. */
export async function setTwoFactorRequired(
  tx: Tx,
  resellerId: string,
  ofAll: boolean,
  factorDueAt: Date,
): Promise<void> {
  await tx.run(sql`update reseller set demands_factor = ${ofAll} where id = ${resellerId}`);
  await tx.run(sql`
    update membership m set factor_due_at = case when ${ofAll} or m.role = 'owner' or r.parent_id is null then coalesce(m.factor_due_at, ${factorDueAt}) end
    from reseller r where r.id = m.reseller_id and m.reseller_id = ${resellerId}`);
}

export async function deleteMember(tx: Tx, resellerId: string, userId: string): Promise<void> {
  await tx.run(sql`delete from membership where person_id = ${userId} and reseller_id = ${resellerId}`);
}
