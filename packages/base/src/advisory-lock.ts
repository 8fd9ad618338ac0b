import type pg from 'pg';
import { connectUnpooled, endConnection } from './unpooled-connection.ts';

export interface AdvisoryLock {
  /** A number that nobody else uses. */
  readonly lock: number;
  /** Beside others who share it. */
  readonly isShared?: boolean;
  /** One that hangs does not keep the others for ever: after so long they go on without. Default: until it is over. */
  readonly patienceMs?: number;
}

/** A lock that did not come in time. */
const isLockTimeout = (error: unknown) => (error as { code?: string }).code === '55P03';

/**
 * One process at a time, of all hosts. The lock is that of a transaction, which is open for so long: one of a session would stay, behind a pooler that
 * shares sessions, when its process is gone, and nobody would ever have it again.
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
      `begin; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = ${options.patienceMs ?? 0}`,
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
