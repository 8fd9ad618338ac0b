import type { IpAddress } from '@namehold/epp';
import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Phase } from '../domain/record.ts';
import { addressOf } from './address.ts';
import type { HostRecord } from './record.ts';

type HostRow = Omit<HostRecord, 'addresses'> & { readonly addresses: readonly string[] };

const selectHost = (name: string) => sql`
  select h.id, h.name, h.superordinate, h.sponsor, h.creator, h.created_at as "createdAt", h.updater,
    h.updated_at as "updatedAt", h.transferred_at as "transferredAt", h.statuses,
    array(select host(a.address) from host_address a where a.host_id = h.id order by a.address) as addresses,
    exists (select 1 from domain_host dh where dh.host_id = h.id) as linked
  from host h where h.name = ${name}`;

const toRecord = (row: HostRow): HostRecord => ({
  ...row,
  addresses: row.addresses.map(addressOf),
});

export async function findHost(db: Reader, name: string): Promise<HostRecord | undefined> {
  const row = await db.maybe<HostRow>(selectHost(name));
  return row && toRecord(row);
}

/** Locked first, read after, in one round trip. */
export async function lockHost(tx: Tx, name: string): Promise<HostRecord | undefined> {
  const [, row] = await Promise.all([
    tx.run(sql`select 1 from host where name = ${name} for update`),
    tx.maybe<HostRow>(selectHost(name)),
  ]);
  return row && toRecord(row);
}

export async function takenHostNames(db: Reader, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ name: string }>(sql`select name from host where name = any(${names})`);
  return new Set(rows.map((row) => row.name));
}

interface Superordinate {
  readonly id: string;
  readonly sponsor: string;
  readonly phase: Phase;
}

/** A shared lock: others may read the row but not change it. */
export function shareSuperordinate(tx: Tx, name: string): Promise<Superordinate | undefined> {
  return tx.maybe<Superordinate>(sql`select id, sponsor, phase from domain where name = ${name} for share`);
}

type NewHost = Pick<HostRecord, 'name' | 'superordinate' | 'sponsor' | 'createdAt' | 'addresses'>;

export async function insertHost(tx: Tx, h: NewHost): Promise<void> {
  await tx.run(sql`
    with made as (
      insert into host (name, superordinate, sponsor, creator, created_at)
      values (${h.name}, ${h.superordinate}, ${h.sponsor}, ${h.sponsor}, ${h.createdAt}) returning id
    )
    insert into host_address (host_id, address)
    select made.id, unnest(${textsOf(h.addresses)}::inet[]) from made`);
}

/** Creates missing hosts, without addresses. */
export async function makeHosts(tx: Tx, names: readonly string[], owner: string, at: Date): Promise<void> {
  await tx.run(sql`insert into host (name, sponsor, creator, created_at)
    select unnest(${names}::text[]), ${owner}, ${owner}, ${at}::timestamptz on conflict (name) do nothing`);
}

type HostChange = Pick<
  HostRecord,
  'id' | 'name' | 'superordinate' | 'statuses' | 'updater' | 'updatedAt' | 'addresses'
>;

/** A host has few addresses: all of them are written again. */
export async function saveHost(tx: Tx, h: HostChange): Promise<void> {
  await tx.run(sql`update host set name = ${h.name}, superordinate = ${h.superordinate}, statuses = ${h.statuses},
    updater = ${h.updater}, updated_at = ${h.updatedAt} where id = ${h.id}`);
  await tx.run(sql`delete from host_address where host_id = ${h.id}`);
  await tx.run(
    sql`insert into host_address (host_id, address) select ${h.id}, unnest(${textsOf(h.addresses)}::inet[])`,
  );
}

const textsOf = (addresses: readonly IpAddress[]): string[] => addresses.map(({ address }) => address);

export async function removeHost(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from host where id = ${id}`);
}

/** Hosts move with their superordinate domain. */
export async function moveHosts(tx: Tx, domainId: string, sponsor: string, at: Date): Promise<void> {
  await tx.run(sql`update host set sponsor = ${sponsor}, transferred_at = ${at} where superordinate = ${domainId}`);
}
