import { setTimeout as sleep } from 'node:timers/promises';
import { connectUnpooled, endConnection } from '@namehold/base';
import type pg from 'pg';

/** Ours alone; session locks on it count who is there. */
const usageLockId = 4_711_207_003;
const rejoinMs = 1_000;
/** A database that stands still keeps nobody from leaving. */
const answerMs = 2_000;

/** Whoever works with the embedded parts. */
export interface UsageLock {
  /** Leaves; where nobody else is left, `end` is called, and whoever comes meanwhile has to wait. Without `end` the others are not counted. */
  leave(end?: () => Promise<void>): Promise<void>;
}

/**
 * Services and commands on one data folder share its database and registry: the last to leave ends them.
 * The lock is a session's, so a killed guest's is gone with it.
 */
export async function acquireUsageLock(databaseUrl: string): Promise<UsageLock> {
  let client: pg.Client | undefined;
  let hasLeft = false;
  const join = async (): Promise<void> => {
    const joining = await connectUnpooled(databaseUrl, 'namehold-guest');
    // Whoever ends the database just now has it alone, and takes us along.
    await joining.query('select pg_advisory_lock_shared($1)', [usageLockId]);
    client = joining;
    joining.once('end', () => {
      client = undefined;
      rejoin();
    });
  };
  /** The database went away under us: be counted again once it is back. */
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

/** A database that is gone has no guests; one that stands still does not say. */
async function isLast(client: pg.Client): Promise<boolean> {
  const asked = async () => {
    await client.query('select pg_advisory_unlock_shared($1)', [usageLockId]);
    const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [usageLockId]);
    return rows[0]?.alone ?? true;
  };
  return Promise.race([asked().catch(() => true), sleep(answerMs, true, { ref: false })]);
}
