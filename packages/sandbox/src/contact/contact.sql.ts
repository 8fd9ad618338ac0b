import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import { storedExtensions } from './extensions.sql.ts';
import type { ContactRecord } from './record.ts';

const selectContact = (handle: string) => sql`
  select c.id, c.handle, c.sponsor, c.creator, c.created_at as "createdAt", c.updater, c.updated_at as "updatedAt",
    c.transferred_at as "transferredAt", c.statuses, c.details, c.auth_hash as "authHash", ${storedExtensions} as extensions,
    exists (select 1 from domain d where d.registrant = c.id)
      or exists (select 1 from domain_contact dc where dc.contact_id = c.id) as linked,
    exists (select 1 from transfer t where t.object = 'contact' and t.object_id = c.id and t.state = 'pending') as "transferPending"
  from contact c where c.handle = ${handle}`;

export async function findContact(db: Reader, handle: string): Promise<ContactRecord | undefined> {
  return db.maybe<ContactRecord>(selectContact(handle));
}

/** Locked first, read after, in one round trip. */
export async function lockContact(tx: Tx, handle: string): Promise<ContactRecord | undefined> {
  const [, contact] = await Promise.all([
    tx.run(sql`select 1 from contact where handle = ${handle} for update`),
    tx.maybe<ContactRecord>(selectContact(handle)),
  ]);
  return contact;
}

export async function saveContact(tx: Tx, contact: ContactRecord): Promise<void> {
  await tx.run(sql`
    update contact set sponsor = ${contact.sponsor}, updater = ${contact.updater}, updated_at = ${contact.updatedAt},
      transferred_at = ${contact.transferredAt}, statuses = ${contact.statuses}, details = ${JSON.stringify(contact.details)},
      auth_hash = ${contact.authHash}, us = ${JSON.stringify(contact.extensions)}, asia = null
    where id = ${contact.id}`);
}

type NewContact = Pick<ContactRecord, 'handle' | 'sponsor' | 'createdAt' | 'details' | 'authHash' | 'extensions'>;

export async function insertContact(autocommit: Autocommit, c: NewContact): Promise<void> {
  await autocommit.run(sql`
    insert into contact (handle, sponsor, creator, created_at, details, auth_hash, us)
    values (${c.handle}, ${c.sponsor}, ${c.sponsor}, ${c.createdAt}, ${JSON.stringify(c.details)}, ${c.authHash},
      ${JSON.stringify(c.extensions)})`);
}

export async function removeContact(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from contact where id = ${id}`);
}

export async function takenHandles(db: Reader, handles: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ handle: string }>(sql`select handle from contact where handle = any(${handles})`);
  return new Set(rows.map((row) => row.handle));
}

export async function authHashOf(db: Reader, id: string): Promise<string | null> {
  const row = await db.maybe<{ auth_hash: string | null }>(sql`select auth_hash from contact where id = ${id}`);
  return row?.auth_hash ?? null;
}

/** The oldest contact of this account with the same data. */
export async function handleOfEqual(db: Reader, clientId: string, details: object): Promise<string | undefined> {
  const row = await db.maybe<{ handle: string }>(sql`
    select handle from contact where sponsor = ${clientId} and details = ${JSON.stringify(details)}::jsonb order by id limit 1`);
  return row?.handle;
}
