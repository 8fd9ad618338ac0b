import { addressesOf, primaryOf } from '@namehold/postgres';
import pg from 'pg';
import type { Probe } from './probes.ts';

/** One WAL segment: more lag than a busy standby has for long. */
const mostBehind = 16 * 1024 * 1024;
const limitMs = 5_000;

interface Seen {
  readonly text: string;
  readonly isRead: boolean;
}

/** Reports a standby that cannot be used. Otherwise this stays unnoticed, because reads use the primary. */
export async function probeReplica(
  primary: string,
  replica: string,
  prove: (address: string) => Promise<void>,
): Promise<Probe> {
  const name = 'replica';
  const fix = 'until then all lists are read at the primary: docs/operate/cluster.md, "Read from standbys"';
  try {
    const [row] = await queryAt<{ lsn: string }>(
      await primaryOf(primary),
      'select pg_current_wal_flush_lsn()::text as lsn',
    );
    const seen = await Promise.all(addressesOf(replica).map((address) => probeAddress(address, row!.lsn, prove)));
    return { name, ok: seen.some(({ isRead }) => isRead), text: seen.map(({ text }) => text).join('; '), fix };
  } catch (error) {
    return { name, ok: false, text: (error as Error).message, fix: 'check the database' };
  }
}

async function probeAddress(address: string, lsn: string, prove: (address: string) => Promise<void>): Promise<Seen> {
  const { host } = new URL(address);
  try {
    const [row] = await queryAt<{ standby: boolean; follows: boolean; behind: string | null }>(
      address,
      `select pg_is_in_recovery() as standby, exists (select from pg_stat_wal_receiver) as follows, greatest(pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()), 0)::text as behind`,
      [lsn],
    );
    if (!row!.standby) return { text: `${host} is a primary and is not used`, isRead: false };
    await prove(address);
    // Also a former standby that was promoted and has its own timeline.
    if (!row!.follows)
      return { text: `${host} is a standby that does not replicate from a primary: see its log`, isRead: false };
    const behind = Number(row!.behind ?? Number.POSITIVE_INFINITY);
    return { text: `${host} is a standby, ${behind} bytes of WAL behind`, isRead: behind <= mostBehind };
  } catch (error) {
    return { text: `${host}: ${(error as Error).message}`, isRead: false };
  }
}

async function queryAt<T extends pg.QueryResultRow>(
  address: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(text, values)).rows;
  } finally {
    client.end().catch(() => undefined);
  }
}
