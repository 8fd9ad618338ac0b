import { connectAlone, endConnection } from '@namehold/base';
import { hasAccounts } from '../core/accounts/first-accounts.ts';
import type { House } from '../core/house.ts';

/** Ours alone; in guests.ts there is another. */
const startLock = 4_711_207_004;
/** One that hangs in its start does not keep the others from theirs. */
const patienceMs = 120_000;
/** A lock that did not come in time. */
const isTooLong = (error: unknown) => (error as { code?: string }).code === '55P03';

/**
 * Of several that start on an empty database at once, on one machine or on many, one makes what all of them need; the others wait until it is up, or
 * gone: the lock is a session's. Where there are accounts already, nobody waits for anybody but a first start.
 */
export async function inStartTurn<T>(house: House, databaseUrl: string, start: () => Promise<T>): Promise<T> {
  const client = await connectAlone(databaseUrl, 'namehold-start');
  try {
    const lock = (await hasAccounts(house)) ? 'pg_advisory_lock_shared' : 'pg_advisory_lock';
    await client.query(`set lock_timeout = ${patienceMs}`);
    await client.query(`select ${lock}($1)`, [startLock]).catch((error: unknown) => {
      if (!isTooLong(error)) throw error;
    });
    return await start();
  } finally {
    await endConnection(client);
  }
}
