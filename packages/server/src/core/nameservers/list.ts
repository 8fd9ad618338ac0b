import { tsigKey } from '@namehold/dns';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { encryptionContext, type NameserverRow, nameserverRows } from './nameserver.sql.ts';
import { isTsigAlgorithm, type Nameserver } from './nameserver.ts';

/** Every active nameserver with its decrypted key. */
export async function activeNameservers(ctx: AppContext): Promise<Nameserver[]> {
  const rows = await nameserverRows(ctx.db.as(allTenants));
  return rows.filter((row) => row.is_active).map((row) => openNameserver(ctx, row));
}

export function openNameserver(ctx: AppContext, row: NameserverRow): Nameserver {
  return {
    id: row.id,
    engine: row.engine,
    address: row.address,
    port: row.port,
    key: keyOf(ctx, row),
    allowUnsigned: row.allow_unsigned,
    isPublic: row.is_public,
    createdAt: row.created_at,
  };
}

function keyOf(ctx: AppContext, row: NameserverRow): Nameserver['key'] {
  if (!row.tsig_name || !row.tsig_secret_sealed || !isTsigAlgorithm(row.tsig_algorithm ?? '')) return undefined;
  const secret = ctx.vault.open(row.tsig_secret_sealed, encryptionContext(row.id));
  return tsigKey(row.tsig_name, row.tsig_algorithm as Parameters<typeof tsigKey>[1], secret);
}
