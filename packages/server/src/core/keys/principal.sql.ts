import { type Reader, sql, type Tx } from '@namehold/base';
import type { Actor } from '../app-context.ts';

/** Whose hand acts: that of the key, or of the person; null: the house itself. For people on the second login, which alone sees who is a member. */
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

/** Two hands that have seen one secret are one from then on, with all their keys, their people, whom these invited and who comes by a password of theirs. */
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
