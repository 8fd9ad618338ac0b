import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Security } from '../model/approval.ts';

export async function readSecurity(db: Reader, resellerId: string): Promise<Security> {
  return db.one<Security>(sql`select second_yes, theft_protection from reseller where id = ${resellerId}`);
}

export async function lockSecurity(tx: Tx, resellerId: string): Promise<Security> {
  return tx.one<Security>(sql`select second_yes, theft_protection from reseller where id = ${resellerId} for update`);
}

export async function saveSecurity(tx: Tx, resellerId: string, chosen: Security): Promise<void> {
  await tx.run(sql`
    update reseller set second_yes = ${chosen.second_yes}, theft_protection = ${chosen.theft_protection} where id = ${resellerId}`);
}

/**
 * Number of principals with full access, by a key or as a user: a single one cannot approve its own request. On the second database
 * login.
 */
export async function countFullPrincipals(db: Reader, resellerId: string, now: Date): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(distinct f.hand) as n from (
      select hand from api_key
      where reseller_id = ${resellerId} and 'full' = any (scopes) and revoked_at is null and (expires_at is null or expires_at > ${now})
      union all
      select coalesce(m.hand, m.person_id) from membership m join person p on p.id = m.person_id
      where m.reseller_id = ${resellerId} and 'full' = any (m.scopes) and m.suspended_at is null and p.disabled_at is null) f`);
  return Number(n);
}
