import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { withAdvisoryLock } from '../../postgres/src/servers/advisory-lock.ts';
import { connectUnpooled, endConnection } from '../../postgres/src/servers/unpooled-connection.ts';

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** The oldest release that can work on a database with this change. */
  readonly oldestRelease: string;
}

/** One process migrates at a time. The lock number is used for nothing else. */
const migrationLock = 4_711_207_001;

/** For migrations without this entry: they are older than the first release. */
const firstRelease = '0.1.0';

export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const oldestRelease = /^-- oldest release: (\d+\.\d+\.\d+)$/m.exec(text)?.[1] ?? firstRelease;
      return { name, sql: text, checksum: createHash('sha256').update(text).digest('hex'), oldestRelease };
    });
}

interface MigrateOptions {
  url: string;
  folder: string;
  /** The release of this process. It does not start if a newer release has made the database incompatible with it. */
  release?: string;
  /** Stop after this migration. Tests insert data between two migrations. */
  upTo?: string;
}

/** Applies missing migrations in order, one transaction each. A migration that changed after it was applied stops the start. */
export function migrate(options: MigrateOptions): Promise<string[]> {
  return withAdvisoryLock(options.url, 'namehold-migrate-turn', { lock: migrationLock }, async (lock) => {
    if (!(await hasTable(lock))) await apply(options.url, makeTable);
    const missing = await findMissing(lock, options);
    // Usually nothing is missing and no further connection is needed.
    if (missing.length > 0) await apply(options.url, (client) => applyAll(client, missing));
    return missing.map(({ name }) => name);
  });
}

/** Each migration has its own transaction, beside the one that holds the lock. */
async function apply(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connectUnpooled(url, 'namehold-migrate');
  await work(client).finally(() => endConnection(client));
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `select exists (select from pg_attribute
       where attrelid = to_regclass('schema_migration') and attname = 'oldest_release' and not attisdropped) as present`,
  );
  return rows[0]!.present;
}

async function makeTable(client: pg.Client): Promise<void> {
  await client.query(
    'create table if not exists schema_migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  await client.query(
    `alter table schema_migration add column if not exists oldest_release text not null default '${firstRelease}'`,
  );
}

async function findMissing(client: pg.Client, options: MigrateOptions): Promise<Migration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, checksum, oldest_release from schema_migration order by name',
  );
  const migrations = readMigrations(options.folder);
  if (options.release !== undefined) refuseNewer(rows, migrations, options.release);
  const done = new Map(rows.map((row) => [row.name, row.checksum]));
  const { upTo } = options;
  const wanted = migrations.filter(({ name }) => upTo === undefined || name <= upTo);
  const changed = wanted.find(({ name, checksum }) => done.has(name) && done.get(name) !== checksum);
  if (changed) throw new Error(`migration ${changed.name} was changed after it had been applied`);
  return wanted.filter(({ name }) => !done.has(name));
}

async function applyAll(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) await applyOne(client, migration);
}

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly oldest_release: string;
}

/** Migrations of a newer release are ignored if they declare this release as compatible. */
function refuseNewer(applied: readonly AppliedMigration[], known: readonly Migration[], release: string): void {
  const names = new Set(known.map((migration) => migration.name));
  const strange = applied.find((row) => !names.has(row.name) && isOlder(release, row.oldest_release));
  if (strange)
    throw new Error(
      `a newer release has changed this database (${strange.name}) so that only Namehold ${strange.oldest_release} and newer can work on it; this is ${release}. Start the newer release, or restore the backup from before it`,
    );
}

function isOlder(release: string, than: string): boolean {
  const [mine, wanted] = [release, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = wanted.findIndex((part, place) => part !== (mine[place] ?? 0));
  return at !== -1 && (mine[at] ?? 0) < wanted[at]!;
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`select set_config('namehold.tenant', '*', true)`);
    await client.query(migration.sql);
    await client.query('insert into schema_migration (name, checksum, oldest_release) values ($1, $2, $3)', [
      migration.name,
      migration.checksum,
      migration.oldestRelease,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`migration ${migration.name}: ${(error as Error).message}`, { cause: error });
  }
}

export async function pendingMigrations(url: string, folder: string): Promise<string[]> {
  const client = await connectUnpooled(url, 'namehold-migrate');
  try {
    const { rows } = await client.query<{ present: boolean }>(
      `select to_regclass('schema_migration') is not null as present`,
    );
    const all = readMigrations(folder).map((m) => m.name);
    if (!rows[0]?.present) return all;
    const done = await client.query<{ name: string }>('select name from schema_migration');
    const names = new Set(done.rows.map((row) => row.name));
    return all.filter((name) => !names.has(name));
  } finally {
    await endConnection(client);
  }
}
