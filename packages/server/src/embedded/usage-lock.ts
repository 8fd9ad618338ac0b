import { setTimeout as sleep } from 'node:timers/promises';
import { connectUnpooled, endConnection } from '@namehold/postgres';
import type pg from 'pg';

/** Id of the advisory lock. Shared session locks on it count the users. */
const usageLockId = 4_711_207_003;
const rejoinMs = 1_000;
/** Limits the wait for a database that does not answer. */
const answerMs = 2_000;

/** A process that uses the embedded parts. */
export interface UsageLock {
  /**
   * Releases the lock. Calls `end` if no other process holds it; processes that start meanwhile wait. Without `end` this check is
   * skipped.
   */
  leave(end?: () => Promise<void>): Promise<void>;
}

/**
 * Services and commands on one data folder share its database and registry; the last one to stop ends them. The lock belongs to a
 * session, so that of a killed process is released.
 */
export async function acquireUsageLock(databaseUrl: string): Promise<UsageLock> {
  let client: pg.Client | undefined;
  let hasLeft = false;
  const join = async (): Promise<void> => {
    const joining = await connectUnpooled(databaseUrl, 'namehold-guest');
    // Waits while another process ends the database, which then also ends this connection.
    await joining.query('select pg_advisory_lock_shared($1)', [usageLockId]);
    client = joining;
    joining.once('end', () => {
      client = undefined;
      rejoin();
    });
  };
  /** The database was restarted: acquire the lock again. */
  const rejoin = () => void (hasLeft || setTimeout(() => hasLeft || join().catch(rejoin), rejoinMs).unref());
  await join();
  return {
    async leave(end) {
      hasLeft = true;
      const leaving = client;
      try {
        if (end && (!leaving || (await isLast(leaving)))) await end();
      } finally {
        if (leaving) await endConnection(leaving);
      }
    },
  };
}

/** A database that is gone has no users, and one that does not answer is treated the same. */
async function isLast(client: pg.Client): Promise<boolean> {
  const query = async () => {
    await client.query('select pg_advisory_unlock_shared($1)', [usageLockId]);
    const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [usageLockId]);
    return rows[0]?.alone ?? true;
  };
  return Promise.race([query().catch(() => true), sleep(answerMs, true, { ref: false })]);
}
