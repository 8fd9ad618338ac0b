import { allTenants, type Database, type Reader, sql, Table, type Tx } from '@namehold/postgres';
import type { ApiKey } from './key.ts';

export const keyTable = new Table<ApiKey, { fingerprint: string; hand: string }>(
  'api_key',
  {
    id: 'text',
    reseller_id: 'bigint',
    label: 'text',
    hint: 'text',
    ip_whitelist: 'text[]',
    scopes: 'text[]',
    expires_at: 'timestamptz?',
    revoked_at: 'timestamptz?',
    issued_by: 'text?',
    previous_expires_at: 'timestamptz?',
    last_used_at: 'timestamptz?',
    last_used_address: 'text?',
    created_at: 'timestamptz',
  },
  { fingerprint: 'text', hand: 'text' },
);
const { columns } = keyTable;

export interface Credential {
  readonly key_id: string;
  readonly reseller_id: string;
  readonly parent_id: string | null;
  /** Level of the first account that is not active: 1 for the own account, more for one above. */
  readonly inactive_place: number | null;
  readonly ip_whitelist: string[];
  readonly scopes: string[];
  readonly expires_at: Date | null;
}

/** The lookup for authentication: id and secret together, so that a wrong id and a wrong key give the same result. */
export async function findCredential(
  db: Database,
  resellerId: string,
  fingerprint: string,
  now: Date,
): Promise<Credential | undefined> {
  return db.as(allTenants).maybe<Credential>(sql`
    select k.id as key_id, k.reseller_id, r.parent_id, chain_inactive_place(r.id) as inactive_place, k.ip_whitelist, k.scopes, k.expires_at
    from api_key k join reseller r on r.id = k.reseller_id
    where (k.fingerprint = ${fingerprint} or (k.previous_fingerprint = ${fingerprint} and k.previous_expires_at > ${now}))
      and k.reseller_id = ${resellerId} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
      and r.deleted_at is null`);
}

type NewKeyRow = Pick<
  ApiKey,
  'id' | 'reseller_id' | 'label' | 'hint' | 'ip_whitelist' | 'scopes' | 'expires_at' | 'issued_by' | 'created_at'
> & { readonly fingerprint: string };

/** It has the principal of its creator; null: its own. */
export async function insertKey(tx: Tx, key: NewKeyRow, principal: string | null): Promise<ApiKey> {
  return tx.one<ApiKey>(keyTable.insert({ ...key, hand: principal ?? key.id }, `returning ${keyTable.list}`));
}

export async function listKeys(db: Reader, resellerId: string): Promise<ApiKey[]> {
  return db.many<ApiKey>(sql`select ${columns} from api_key where reseller_id = ${resellerId} order by created_at, id`);
}

export async function findKey(db: Reader, resellerId: string, id: string): Promise<ApiKey | undefined> {
  return db.maybe<ApiKey>(sql`select ${columns} from api_key where id = ${id} and reseller_id = ${resellerId}`);
}

export async function lockKey(tx: Tx, resellerId: string, id: string): Promise<ApiKey | undefined> {
  return tx.maybe<ApiKey>(
    sql`select ${columns} from api_key where id = ${id} and reseller_id = ${resellerId} for update`,
  );
}

export async function updateKey(tx: Tx, key: ApiKey): Promise<ApiKey> {
  return tx.one<ApiKey>(sql`
    update api_key set label = ${key.label}, ip_whitelist = ${key.ip_whitelist}, scopes = ${key.scopes}, expires_at = ${key.expires_at}
    where id = ${key.id} and reseller_id = ${key.reseller_id} returning ${columns}`);
}

export async function rotateSecret(
  tx: Tx,
  key: Pick<ApiKey, 'id' | 'reseller_id' | 'issued_by'>,
  fingerprint: string,
  hint: string,
  overlapEnds: Date,
): Promise<ApiKey> {
  return tx.one<ApiKey>(sql`
    update api_key set previous_fingerprint = fingerprint, previous_expires_at = ${overlapEnds}, fingerprint = ${fingerprint}, hint = ${hint},
      issued_by = ${key.issued_by}
    where id = ${key.id} and reseller_id = ${key.reseller_id} returning ${columns}`);
}

export async function revokeKey(tx: Tx, key: Pick<ApiKey, 'id' | 'reseller_id'>, now: Date): Promise<ApiKey> {
  return tx.one<ApiKey>(sql`
    update api_key set revoked_at = coalesce(revoked_at, ${now}), previous_expires_at = null, previous_fingerprint = null
    where id = ${key.id} and reseller_id = ${key.reseller_id} returning ${columns}`);
}

/**
 * Keys that it issued and that are not revoked, in the account and the accounts below it: directly or through others of its keys, revoked
 * or not. Two keys may have rotated each other. Keys of earlier releases have only the invitation that created them.
 */
const issuedBy = (resellerId: string, id: string) => sql`
    with recursive account as (
      select r.id from reseller r where r.id = ${resellerId}
      union all
      select r.id from reseller r join account a on r.parent_id = a.id where r.deleted_at is null),
    origin as (
      select k.id, coalesce(k.issued_by, i.maker) as issuer from account a join api_key k on k.reseller_id = a.id
        left join invitation i on i.key_id = k.id and i.reseller_id = k.reseller_id and i.reseller_id <> ${resellerId}),
    issued as (
      select o.id from origin o where o.issuer = ${id}
      union
      select o.id from origin o join issued i on o.issuer = i.id)
    select ${columns} from api_key
    where reseller_id in (select a.id from account a) and id in (select i.id from issued i) and id <> ${id} and revoked_at is null
    order by created_at, id`;

export async function listIssuedKeys(db: Reader, resellerId: string, id: string): Promise<ApiKey[]> {
  return db.many<ApiKey>(issuedBy(resellerId, id));
}

export async function lockIssuedKeys(tx: Tx, resellerId: string, id: string): Promise<ApiKey[]> {
  return tx.many<ApiKey>(sql`${issuedBy(resellerId, id)} for update`);
}

interface KeyUse {
  readonly keyId: string;
  readonly at: Date;
  readonly address: string;
}

/** Flushed in batches; one statement for all keys. */
export async function recordUses(tx: Tx, uses: readonly KeyUse[]): Promise<void> {
  await tx.run(sql`
    update api_key k set last_used_at = u.at, last_used_address = u.address
    from unnest(${uses.map((u) => u.keyId)}::text[], ${uses.map((u) => u.at)}::timestamptz[], ${uses.map((u) => u.address)}::text[])
      as u (id, at, address)
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`);
}

/** Passwords that came from a key stay valid when it is revoked. */
export async function keepPasswordsOf(tx: Tx, resellerId: string, keyId: string): Promise<void> {
  await tx.run(sql`
    update customer set password_maker = null where reseller_id = ${resellerId} and password_maker = ${keyId}`);
}
