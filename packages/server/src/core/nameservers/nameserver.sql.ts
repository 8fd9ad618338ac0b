import { type Reader, sql, Table, type Tx } from '@namehold/postgres';
import type { Engine } from './nameserver.ts';

export interface NameserverRow {
  readonly id: string;
  readonly engine: Engine;
  readonly address: string;
  readonly port: number;
  readonly tsig_name: string | null;
  readonly tsig_algorithm: string | null;
  readonly tsig_secret_sealed: string | null;
  readonly allow_unsigned: boolean;
  readonly is_public: boolean;
  readonly is_active: boolean;
  readonly created_at: Date;
}

/** Notification channel for added, changed and removed nameservers. */
export const nameserverChannel = 'namehold_nameserver';

export const encryptionContext = (nameserverId: string): string => `nameserver:${nameserverId}`;

export const nameserverTable = new Table<NameserverRow>('nameserver', {
  id: 'text',
  engine: 'text',
  address: 'inet',
  port: 'integer',
  tsig_name: 'text?',
  tsig_algorithm: 'text?',
  tsig_secret_sealed: 'text?',
  allow_unsigned: 'boolean',
  is_public: 'boolean',
  is_active: 'boolean',
  created_at: 'timestamptz',
});
/** Addresses are returned without a prefix length. */
const columns = sql`id, engine, host(address) as address, port, tsig_name, tsig_algorithm, tsig_secret_sealed, allow_unsigned, is_public, is_active, created_at`;

export async function nameserverRows(db: Reader): Promise<NameserverRow[]> {
  return db.many<NameserverRow>(sql`select ${columns} from nameserver order by id`);
}

export async function findNameserver(db: Reader, id: string): Promise<NameserverRow | undefined> {
  return db.maybe<NameserverRow>(sql`select ${columns} from nameserver where id = ${id}`);
}

export async function saveNameserver(tx: Tx, row: NameserverRow): Promise<void> {
  const { id: _, created_at: _1, ...changes } = row;
  await tx.run(nameserverTable.insert(row, `on conflict (id) do update set ${nameserverTable.excluded(changes)}`));
  await announce(tx, row.id);
}

export async function deleteNameserver(tx: Tx, id: string): Promise<boolean> {
  const count = await tx.run(sql`delete from nameserver where id = ${id}`);
  await announce(tx, id);
  return count === 1;
}

async function announce(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`select pg_notify(${nameserverChannel}, ${id})`);
}
