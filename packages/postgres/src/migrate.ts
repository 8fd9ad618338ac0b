import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { withAdvisoryLock } from './servers/advisory-lock.ts';
import { connectUnpooled, endConnection } from './servers/unpooled-connection.ts';

/** An SQL file of a schema folder, as the table `schema_migration` records it. */
interface SchemaFile {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** The oldest release that can work on a database with this change. */
  readonly oldestRelease: string;
}

/**
 * The files of a schema folder, in the order in which they are applied. A missing subfolder has no files.
 *
 *   tables/        the baseline: tables of an empty database
 *   migrations/    numbered changes since the baseline, forward only
 *   functions/, triggers/, policies/   one definition each, applied again whenever a file changes
 *   bridge/        the migrations before the baseline, for databases that began with them
 */
interface SchemaFiles {
  readonly bridge: readonly SchemaFile[];
  readonly baseline: readonly SchemaFile[];
  readonly migrations: readonly SchemaFile[];
  readonly repeatables: readonly SchemaFile[];
}

/** For files without the entry `-- oldest release`: they are older than the first release, or replaced by later ones. */
const firstRelease = '0.1.0';

const numbered = /^\d{4}_[a-z0-9_]+\.sql$/;
const ordered = /^\d{2}-[a-z-]+\.sql$/;
const named = /^[a-z-]+\.sql$/;

export function readSchema(folder: string): SchemaFiles {
  return {
    bridge: read(folder, 'bridge', numbered, ''),
    baseline: read(folder, 'tables', ordered, 'tables/'),
    migrations: read(folder, 'migrations', numbered, ''),
    repeatables: ['functions', 'triggers', 'policies'].flatMap((kind) => read(folder, kind, named, `${kind}/`)),
  };
}

function read(folder: string, subfolder: string, pattern: RegExp, prefix: string): SchemaFile[] {
  const place = join(folder, subfolder);
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(place, name), 'utf8');
      const oldestRelease = /^-- oldest release: (\d+\.\d+\.\d+)$/m.exec(sql)?.[1] ?? firstRelease;
      return { name: prefix + name, sql, checksum: createHash('sha256').update(sql).digest('hex'), oldestRelease };
    });
}

/** One process migrates at a time. The lock number is used for nothing else. */
const migrationLock = 4_711_207_001;

/** Sessions of a running release can hold locks in another order. The transaction that PostgreSQL ends is repeated. */
const deadlockTries = 5;

export interface MigrateOptions {
  url: string;
  /** The schema folder, as `readSchema` describes it. */
  folder: string;
  /** The release of this process. It does not start if a newer release has made the database incompatible with it. */
  release?: string;
  /** Stop after this migration. Tests insert data between two migrations. */
  upTo?: string;
}

/**
 * Brings a database to the schema of the folder and returns the names of the applied files. Everything happens in one transaction, so a
 * failure leaves the database as it was. A migration or a table file that changed after it was applied stops the start.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await withAdvisoryLock(options.url, 'namehold-migrate', { lock: migrationLock }, (client) =>
        bringUpToDate(client, options),
      );
    } catch (error) {
      if (!isDeadlock(error) || tries === deadlockTries) throw error;
    }
  }
}

const isDeadlock = (error: unknown) => ((error as Error).cause as { code?: string } | undefined)?.code === '40P01';

/** The lock belongs to the transaction of the client, which also makes the changes. */
async function bringUpToDate(client: pg.Client, options: MigrateOptions): Promise<string[]> {
  const [schema, applied] = [readSchema(options.folder), await readApplied(client)];
  if (options.release !== undefined) refuseNewer(applied, schema, options.release);
  refuseChanged(schema, applied);
  const plan = planFor(schema, applied, options);
  if (plan.length === 0) return [];
  await makeTable(client);
  // The files call functions and read rows of every tenant.
  await client.query(`select set_config('namehold.tenant', '*', true)`);
  for (const step of plan) await take(client, step, options.release);
  await client.query('commit');
  return plan.filter(({ isRun }) => isRun).map(({ file }) => file.name);
}

interface Applied {
  readonly name: string;
  readonly checksum: string;
  readonly oldest_release?: string;
  readonly release?: string | null;
}

/** Earlier releases have a table with fewer columns. */
async function readApplied(client: pg.Client): Promise<Map<string, Applied>> {
  const present = await client.query<{ is: boolean }>(`select to_regclass('schema_migration') is not null as is`);
  if (!present.rows[0]!.is) return new Map();
  const { rows } = await client.query<{ row: Applied }>(
    'select to_jsonb(m) as row from schema_migration m order by name',
  );
  return new Map(rows.map(({ row }) => [row.name, row]));
}

async function makeTable(client: pg.Client): Promise<void> {
  await client.query(`
    create table if not exists schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now());
    alter table schema_migration
      add column if not exists oldest_release text not null default '${firstRelease}',
      add column if not exists release text`);
}

interface Step {
  readonly file: SchemaFile;
  /** False: the database already has what the file creates, and it is only recorded. */
  readonly isRun: boolean;
  readonly oldestRelease: string;
}

function planFor(schema: SchemaFiles, applied: ReadonlyMap<string, Applied>, options: MigrateOptions): Step[] {
  const { upTo, release } = options;
  const migrations = schema.migrations.filter(({ name }) => upTo === undefined || name <= upTo);
  const missing = (files: readonly SchemaFile[]) => files.filter(({ name }) => !applied.has(name));
  const run = (file: SchemaFile): Step => ({ file, isRun: true, oldestRelease: file.oldestRelease });
  const isBeforeBaseline = schema.bridge.some(({ name }) => applied.has(name));
  const baseline = missing(schema.baseline);
  return [
    ...(isBeforeBaseline ? missing(schema.bridge).map(run) : []),
    // An older release knows the tables of a database that began with it, and can still work on them.
    ...baseline.map((file) => (isBeforeBaseline ? { file, isRun: false, oldestRelease: firstRelease } : run(file))),
    ...missing(migrations).map(run),
    ...(upTo === undefined ? schema.repeatables.filter((file) => isOutdated(file, applied, release)).map(run) : []),
  ];
}

/** Functions, triggers and policies may change: they are applied again. */
function refuseChanged(schema: SchemaFiles, applied: ReadonlyMap<string, Applied>): void {
  const changed = [...schema.bridge, ...schema.baseline, ...schema.migrations].find(
    ({ name, checksum }) => applied.has(name) && applied.get(name)!.checksum !== checksum,
  );
  if (changed) throw new Error(`migration ${changed.name} was changed after it had been applied`);
}

/** Functions of a newer release stay: an older one that still runs beside it does not replace them. */
function isOutdated(file: SchemaFile, applied: ReadonlyMap<string, Applied>, release: string | undefined): boolean {
  const row = applied.get(file.name);
  if (row?.checksum === file.checksum) return false;
  return !(row?.release && release !== undefined && isOlder(release, row.release));
}

/** Migrations of a newer release are ignored if they declare this release as compatible. */
function refuseNewer(applied: ReadonlyMap<string, Applied>, schema: SchemaFiles, release: string): void {
  const known = new Set(Object.values(schema).flatMap((files: readonly SchemaFile[]) => files.map(({ name }) => name)));
  const strange = [...applied.values()].find(
    (row) => !known.has(row.name) && isOlder(release, row.oldest_release ?? firstRelease),
  );
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

async function take(client: pg.Client, { file, isRun, oldestRelease }: Step, release: string | undefined) {
  try {
    // The bodies of functions name tables and each other in any order; a test creates each of them again with this check.
    if (isRun) await client.query(`set local check_function_bodies = off; ${file.sql}`);
    // A table with waiting triggers cannot be altered by the next file.
    if (isRun) await client.query('set constraints all immediate; set constraints all deferred');
    await client.query(
      `insert into schema_migration (name, checksum, oldest_release, release) values ($1, $2, $3, $4)
       on conflict (name) do update set checksum = excluded.checksum, applied_at = now(), release = excluded.release`,
      [file.name, file.checksum, oldestRelease, release ?? null],
    );
  } catch (error) {
    throw new Error(`migration ${file.name}: ${(error as Error).message}`, { cause: error });
  }
}

/** The files that `migrate` would apply. */
export async function pendingMigrations(url: string, folder: string): Promise<string[]> {
  const client = await connectUnpooled(url, 'namehold-migrate');
  try {
    return planFor(readSchema(folder), await readApplied(client), { url, folder }).map(({ file }) => file.name);
  } finally {
    await endConnection(client);
  }
}
