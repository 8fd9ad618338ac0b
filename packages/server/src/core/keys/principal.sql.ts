import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Actor } from '../app-context.ts';

/**
 * The principal of the acting key or user; null: the service itself. For users on the second database login, because only it can read
 * the members.
 */
export async function findPrincipal(
  db: Reader,
  { resellerId, keyId, user }: Pick<Actor, 'resellerId' | 'keyId' | 'user'>,
): Promise<string | null> {
  if (keyId === null && !user) return null;
  const row = keyId
    ? await db.maybe<{ hand: string }>(
        sql`select hand from api_key where id = ${keyId} and reseller_id = ${resellerId}`,
      )
    : await db.maybe<{ hand: string }>(sql`
        select coalesce(hand, person_id) as hand from membership where person_id = ${user!.id} and reseller_id = ${resellerId}`);
  return row?.hand ?? keyId ?? user!.id;
}

/**
 * Two principals that have seen one secret become one, with all their keys and users, the users they invited, and sign-ins with their
 * passwords.
 */
export async function mergePrincipals(tx: Tx, resellerId: string, keyId: string, into: string): Promise<void> {
  const { hand } = await tx.one<{ hand: string }>(
    sql`select hand from api_key where id = ${keyId} and reseller_id = ${resellerId}`,
  );
  if (hand === into) return;
  await tx.run(sql`update api_key set hand = ${into} where reseller_id = ${resellerId} and hand = ${hand}`);
  await tx.run(sql`
    update membership set hand = ${into} where reseller_id = ${resellerId} and coalesce(hand, person_id) = ${hand}`);
  await tx.run(sql`
    update reseller set temp_password_hand = ${into} where id = ${resellerId} and temp_password_hand = ${hand}`);
  await tx.run(sql`update person_code set hand = ${into} where reseller_id = ${resellerId} and hand = ${hand}`);
}
