import { type Reader, sql, type Tx } from '@namehold/postgres';
import { isStillVerified, type OpenedBy, type StoredPasswords } from '../accounts/password.ts';
import { asciiAddress } from '../reference/email.ts';

const withoutOwner = sql`
  r.deleted_at is null and r.status = 'Active' and not exists (select from membership m where m.reseller_id = r.id and m.role = 'owner')`;

/** The password hashes of an account without an owner. */
export async function unclaimedPasswords(
  db: Reader,
  resellerId: string,
  email: string,
): Promise<StoredPasswords | undefined> {
  return db.maybe<StoredPasswords>(sql`
    select r.password_hash, r.temp_password_expires_at,
      case when not maker_has_ended(r.id, r.temp_password_maker) then r.temp_password_hash end as temp_password_hash
    from reseller r
    where r.id = ${resellerId} and lower(r.email) = lower(${asciiAddress(email)}) and ${withoutOwner}`);
}

/** The principal that made the present temporary password. */
export async function findTemporaryPrincipal(tx: Tx, resellerId: string): Promise<string | null> {
  const { hand } = await tx.one<{ hand: string | null }>(sql`
    select temp_password_hand as hand from reseller where id = ${resellerId}`);
  return hand;
}

/** Removes a used temporary password. Returns the principal that made it. */
export async function useTemporaryPassword(tx: Tx, resellerId: string): Promise<string | null> {
  const hand = await findTemporaryPrincipal(tx, resellerId);
  await tx.run(sql`
    update reseller set temp_password_hash = null, temp_password_expires_at = null, temp_password_hand = null, temp_password_maker = null where id = ${resellerId}`);
  return hand;
}

/** False: the account has an owner or another address by now, or the verified password was replaced, used or removed since. */
export async function lockUnclaimed(
  tx: Tx,
  { resellerId, email }: { readonly resellerId: string; readonly email: string },
  verified: StoredPasswords,
  by: OpenedBy,
): Promise<boolean> {
  if (!(await lockWithoutOwner(tx, resellerId))) return false;
  const present = await unclaimedPasswords(tx, resellerId, email);
  return present !== undefined && isStillVerified(present, verified, by);
}

/** False: it has an owner by now. */
export async function lockWithoutOwner(tx: Tx, resellerId: string): Promise<boolean> {
  await tx.maybe(sql`select r.id from reseller r where r.id = ${resellerId} for update`);
  return (
    (await tx.maybe(sql`select r.id from reseller r where r.id = ${resellerId} and ${withoutOwner}`)) !== undefined
  );
}
