import { type Reader, sql, type Tx } from '@namehold/base';
import type { HostInfData, IpAddress } from '@namehold/epp';
import { roidOf } from '../domain/record.ts';
import { refuse } from '../registry/refusal.ts';
import type { Call } from '../registry/registry.ts';

export interface HostRecord {
  readonly id: string;
  readonly name: string;
  readonly superordinate: string | null;
  readonly sponsor: string;
  readonly creator: string;
  readonly createdAt: Date;
  readonly updater: string | null;
  readonly updatedAt: Date | null;
  readonly transferredAt: Date | null;
  readonly statuses: readonly string[];
  readonly addresses: readonly IpAddress[];
  readonly linked: boolean;
}

type HostRow = Omit<HostRecord, 'addresses'> & { readonly addresses: readonly string[] };

const selectHost = (name: string) => sql`
  select h.id, h.name, h.superordinate, h.sponsor, h.creator, h.created_at as "createdAt", h.updater,
    h.updated_at as "updatedAt", h.transferred_at as "transferredAt", h.statuses,
    array(select host(a.address) from host_address a where a.host_id = h.id order by a.address) as addresses,
    exists (select 1 from domain_host dh where dh.host_id = h.id) as linked
  from host h where h.name = ${name}`;

const toRecord = (row: HostRow): HostRecord => ({
  ...row,
  addresses: row.addresses.map((address) => ({ address, version: address.includes(':') ? 'v6' : 'v4' })),
});

export async function findHost(db: Reader, name: string): Promise<HostRecord | undefined> {
  const row = await db.maybe<HostRow>(selectHost(name));
  return row && toRecord(row);
}

/** Locked, there, and ours; else 2303 or 2201. */
export async function lockOwnHost(tx: Tx, call: Call, name: string): Promise<HostRecord> {
  const [, row] = await Promise.all([
    tx.run(sql`select 1 from host where name = ${name} for update`),
    tx.maybe<HostRow>(selectHost(name)),
  ]);
  if (row === undefined) refuse(2303, `host ${name} does not exist`);
  if (row.sponsor !== call.clientId) refuse(2201, `host ${name} is another registrar's`);
  return toRecord(row);
}

/** RFC 5732 2.3: linked stands with any other; ok only with linked. */
export function hostInfo(host: HostRecord): HostInfData {
  const statuses = host.statuses.length > 0 ? [...host.statuses] : ['ok'];
  if (host.linked) statuses.push('linked');
  return {
    object: 'host',
    type: 'infData',
    name: host.name,
    roid: roidOf('H', host.id),
    statuses: statuses.map((value) => ({ value })),
    addresses: host.addresses,
    clID: host.sponsor,
    crID: host.creator,
    crDate: host.createdAt,
    ...(host.updater === null ? {} : { upID: host.updater }),
    ...(host.updatedAt === null ? {} : { upDate: host.updatedAt }),
    ...(host.transferredAt === null ? {} : { trDate: host.transferredAt }),
  };
}
