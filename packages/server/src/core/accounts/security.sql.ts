import { type Reader, sql, type Tx } from '@namehold/base';
import type { Security } from './security.ts';

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

/** How many hands hold a key that may do everything: one of them cannot say yes to itself. */
export async function countFullHands(db: Reader, resellerId: string, now: Date): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(distinct hand) as n from api_key
    where reseller_id = ${resellerId} and 'full' = any (scopes) and revoked_at is null and (expires_at is null or expires_at > ${now})`);
  return Number(n);
}
