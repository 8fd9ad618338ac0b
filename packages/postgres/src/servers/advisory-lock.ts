import type pg from 'pg';
import { connectUnpooled, endConnection } from './unpooled-connection.ts';

interface AdvisoryLock {
  /** Each lock has its own number. */
  readonly lock: number;
  /** A shared lock: other holders of the shared lock may run at the same time. */
  readonly isShared?: boolean;
  /**
   * After this long without the lock the work runs without it, so that a process that hangs does not block the others for ever. Default:
   * no limit.
   */
  readonly timeoutMs?: number;
}

/** The lock was not granted within `lock_timeout`. */
const isLockTimeout = (error: unknown) => (error as { code?: string }).code === '55P03';

/**
 * Runs the work in one process at a time, across all hosts. The lock belongs to a transaction that stays open during the work. Behind a
 * pooler that shares sessions, a session lock would outlive a process that was killed and would never be released.
 */
export async function withAdvisoryLock<T>(
  url: string,
  name: string,
  options: AdvisoryLock,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectUnpooled(url, name);
  try {
    await client.query(
      `begin; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = ${options.timeoutMs ?? 0}`,
    );
    const take = options.isShared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
    await client.query(`select ${take}($1)`, [options.lock]).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
    });
    return await work(client);
  } finally {
    await endConnection(client);
  }
}
