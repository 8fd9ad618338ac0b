import type { DomainContact, DsRecord, TldExtensions } from '@namehold/epp';
import { type Reader, sql, type Tx } from '@namehold/postgres';
import { storedExtensions } from '../contact/extensions.sql.ts';
import { refuse } from '../registry/refusal.ts';

export interface LinkedContact {
  readonly id: string;
  readonly handle: string;
  readonly extensions: TldExtensions;
}

export async function findContacts(db: Reader, handles: readonly string[]): Promise<Map<string, LinkedContact>> {
  if (handles.length === 0) return new Map();
  const rows = await db.many<LinkedContact>(
    sql`select id, handle, ${storedExtensions} as extensions from contact where handle = any(${handles})`,
  );
  return new Map(rows.map((row) => [row.handle, row]));
}

/** Locked against deletion until the link is written. */
export async function findHosts(tx: Tx, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await tx.many<{ id: string; name: string }>(
    sql`select id, name from host where name = any(${names}) for key share`,
  );
  return new Map(rows.map((row) => [row.name, row.id]));
}

/** RFC 5731 3.2.1: objects must exist before a domain refers to them. */
export function requireAllFound<T>(known: ReadonlyMap<string, T>, wanted: readonly string[], noun: string): T[] {
  const missing = wanted.filter((key) => !known.has(key));
  if (missing.length > 0) refuse(2303, ...missing.map((key) => `${noun} ${key} does not exist`));
  return wanted.map((key) => known.get(key) as T);
}

export async function linkHosts(tx: Tx, domainId: string, hostIds: readonly string[]): Promise<void> {
  if (hostIds.length === 0) return;
  await tx.run(sql`insert into domain_host (domain_id, host_id) select ${domainId}, unnest(${hostIds}::bigint[])`);
}

export async function unlinkAllHosts(tx: Tx, domainId: string): Promise<void> {
  await tx.run(sql`delete from domain_host where domain_id = ${domainId}`);
}

export async function unlinkHosts(tx: Tx, domainId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await tx.run(sql`delete from domain_host dh using host h
    where dh.domain_id = ${domainId} and h.id = dh.host_id and h.name = any(${names})`);
}

export async function linkContacts(
  tx: Tx,
  domainId: string,
  links: readonly { readonly type: string; readonly contactId: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await tx.run(sql`insert into domain_contact (domain_id, type, contact_id)
    select ${domainId}, * from unnest(${links.map((link) => link.type)}::text[], ${links.map((link) => link.contactId)}::bigint[])`);
}

export async function unlinkContacts(tx: Tx, domainId: string, links: readonly DomainContact[]): Promise<void> {
  for (const link of links) {
    await tx.run(sql`delete from domain_contact dc using contact c
      where dc.domain_id = ${domainId} and dc.type = ${link.type} and c.id = dc.contact_id and c.handle = ${link.id}`);
  }
}

/** A domain has few DS records: all of them are written again. */
export async function replaceDs(tx: Tx, domainId: string, records: readonly DsRecord[]): Promise<void> {
  await tx.run(sql`delete from domain_ds where domain_id = ${domainId}`);
  await insertDs(tx, domainId, records);
}

async function insertDs(tx: Tx, domainId: string, records: readonly DsRecord[]): Promise<void> {
  for (const record of records) {
    await tx.run(sql`insert into domain_ds (domain_id, key_tag, alg, digest_type, digest, key)
      values (${domainId}, ${record.keyTag}, ${record.alg}, ${record.digestType}, ${record.digest},
        ${record.key === undefined ? null : JSON.stringify(record.key)})`);
  }
}
