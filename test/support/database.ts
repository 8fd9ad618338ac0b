import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Database, migrate, openDatabase } from '@namehold/postgres';
import pg from 'pg';
import { inject } from 'vitest';
import { openLogins } from '../../packages/server/src/logins.ts';

const serverSchema = fileURLToPath(new URL('../../packages/server/src/schema', import.meta.url));
const registrySchema = fileURLToPath(new URL('../../packages/sandbox/src/schema', import.meta.url));
/** One process makes a template at a time. */
const templateLock = 4_711_207_002;

export function databaseUrl(name: string): string {
  return inject('postgresUrl').replace('{database}', name).replace('%7Bdatabase%7D', name);
}

async function admin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** An empty database with a random name. */
export async function emptyDatabase(prefix = 't'): Promise<{ url: string; name: string; drop: () => Promise<void> }> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`;
  await admin((client) => client.query(`create database ${name}`));
  return { name, url: databaseUrl(name), drop: () => dropDatabase(name) };
}

async function dropDatabase(name: string): Promise<void> {
  await admin((client) => client.query(`drop database if exists ${name} with (force)`));
}

/** A database with all migrations applied, cloned from a template that the first caller makes. */
export async function migratedDatabase(folder = serverSchema, template = 'template_namehold') {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await admin(async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      await client.query(`create database ${template}`);
      await migrate({ url: databaseUrl(template), folder });
    }
    // Copies the files: writing their pages to the log costs the server four times as much.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return { name, url: databaseUrl(name), drop: () => dropDatabase(name) };
}

/** The same for the sandbox registry. */
export const registryDatabase = () => migratedDatabase(registrySchema, 'template_registry');

/** A migrated database with the service's logins: one for requests and one for background jobs. */
export async function openRestricted(url: string, maxConnections = 8): Promise<Database> {
  const { appUrl, schedulerUrl, tenantKey } = await openLogins(url);
  return openDatabase({ url: appUrl, allTenantsUrl: schedulerUrl, tenantKey, maxConnections });
}
