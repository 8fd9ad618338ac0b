import { type Reader, sql, type Tx } from '@namehold/postgres';
import { isStillVerified, type OpenedBy, type StoredPasswords } from '../accounts/password.ts';
import { type Invitation, invitationLimits } from './invitation.ts';

const columns = sql.raw(
  'id, reseller_id, parent_id, created_at, expires_at, misses, accepted_at, accepted_address, key_id',
);

type NewInvitation = Pick<Invitation, 'id' | 'reseller_id' | 'parent_id' | 'created_at' | 'expires_at'>;

export async function insertInvitation(
  tx: Tx,
  row: NewInvitation & { fingerprint: string; maker: string | null },
): Promise<Invitation> {
  return tx.one<Invitation>(sql`
    insert into invitation (id, reseller_id, parent_id, fingerprint, maker, created_at, expires_at)
    values (${row.id}, ${row.reseller_id}, ${row.parent_id}, ${row.fingerprint}, ${row.maker}, ${row.created_at}, ${row.expires_at})
    returning ${columns}`);
}

export async function listInvitations(db: Reader, parentId: string, resellerId: string): Promise<Invitation[]> {
  return db.many<Invitation>(sql`
    select ${columns} from invitation where reseller_id = ${resellerId} and parent_id = ${parentId}
    order by id desc limit ${invitationLimits.shown}`);
}

export async function countOpen(tx: Tx, resellerId: string, now: Date): Promise<number> {
  const { n } = await tx.one<{ n: string }>(sql`
    select count(*) as n from invitation
    where reseller_id = ${resellerId} and accepted_at is null and expires_at > ${now} and misses < ${invitationLimits.misses}`);
  return Number(n);
}

const passwordColumns = sql.raw(
  'r.password_hash, r.temp_password_expires_at, case when not maker_has_ended(r.id, r.temp_password_maker) then r.temp_password_hash end as temp_password_hash',
);

/** The API key or user that made the invitation, and the API key that set the temporary password. */
interface Makers {
  readonly maker: string | null;
  readonly temp_password_maker: string | null;
}

const isOpen = sql`r.deleted_at is null and r.status = 'Active' and not maker_has_ended(i.parent_id, i.maker)`;

/** With the password hashes of the invited account, while both are valid. */
export async function findOpenInvitation(
  db: Reader,
  fingerprint: string,
  now: Date,
): Promise<(Invitation & StoredPasswords & Makers) | undefined> {
  return db.maybe<Invitation & StoredPasswords & Makers>(sql`
    select i.id, i.reseller_id, i.parent_id, i.created_at, i.expires_at, i.misses, i.accepted_at, i.accepted_address, i.key_id, i.maker,
      r.temp_password_maker, ${passwordColumns}
    from invitation i join reseller r on r.id = i.reseller_id
    where i.fingerprint = ${fingerprint} and i.accepted_at is null and i.expires_at > ${now} and i.misses < ${invitationLimits.misses}
      and ${isOpen}`);
}

/**
 * Locks the invited account until the end of the transaction. False: the verified password was replaced or removed since, the creator of
 * the invitation was removed, or the account may not be used any more.
 */
export async function lockVerifiedInvitation(
  tx: Tx,
  verified: Pick<Invitation, 'id' | 'reseller_id'> & StoredPasswords & Makers,
  by: OpenedBy,
): Promise<boolean> {
  // A revocation of these keys waits, and then finds the key that the invitation creates. Before the account, as a revocation does.
  const makers = [verified.maker, verified.temp_password_maker].filter((maker) => maker !== null);
  await tx.many(sql`select id from api_key where id = any (${makers}::text[]) order by id for share`);
  await tx.maybe(sql`select id from reseller where id = ${verified.reseller_id} for update`);
  const present = await tx.maybe<StoredPasswords>(sql`
    select ${passwordColumns} from invitation i join reseller r on r.id = i.reseller_id where i.id = ${verified.id} and ${isOpen}`);
  return present !== undefined && isStillVerified(present, verified, by);
}

/** Counted before the password is verified, so that parallel requests get no additional tries. */
export async function countMiss(tx: Tx, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update invitation set misses = misses + 1 where id = ${id} and accepted_at is null and misses < ${invitationLimits.misses}`);
  return changed === 1;
}

/** False if another request was first. */
export async function markAccepted(
  tx: Tx,
  id: string,
  by: { readonly at: Date; readonly address: string; readonly keyId: string },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update invitation set accepted_at = ${by.at}, accepted_address = ${by.address}, key_id = ${by.keyId}, misses = misses - 1
    where id = ${id} and accepted_at is null and expires_at > ${by.at}`);
  return changed === 1;
}
