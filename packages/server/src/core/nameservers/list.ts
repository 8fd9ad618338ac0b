import { everyTenant } from '@namehold/base';
import { tsigKey } from '@namehold/dns';
import type { House } from '../house.ts';
import { type NameserverRow, nameserverRows, sealContext } from './nameserver.sql.ts';
import { isTsigAlgorithm, type Nameserver } from './nameserver.ts';

/** Every active nameserver, ready to be talked to. */
export async function activeNameservers(house: House): Promise<Nameserver[]> {
  const rows = await nameserverRows(house.db.as(everyTenant));
  return rows.filter((row) => row.is_active).map((row) => openNameserver(house, row));
}

export function openNameserver(house: House, row: NameserverRow): Nameserver {
  return {
    id: row.id,
    engine: row.engine,
    address: row.address,
    port: row.port,
    key: keyOf(house, row),
    allowUnsigned: row.allow_unsigned,
    isPublic: row.is_public,
    createdAt: row.created_at,
  };
}

function keyOf(house: House, row: NameserverRow): Nameserver['key'] {
  if (!row.tsig_name || !row.tsig_secret_sealed || !isTsigAlgorithm(row.tsig_algorithm ?? '')) return undefined;
  const secret = house.vault.open(row.tsig_secret_sealed, sealContext(row.id));
  return tsigKey(row.tsig_name, row.tsig_algorithm as Parameters<typeof tsigKey>[1], secret);
}
