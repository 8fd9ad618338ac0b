import { withAdvisoryLock } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import { hasAccounts } from '../core/composition/first-accounts.ts';

/** Id of the advisory lock; usage-lock.ts has another. */
const startLock = 4_711_207_004;
/** A process that hangs at its start does not block others for longer. */
const timeoutMs = 120_000;

/**
 * Serialises first starts on an empty database: one process creates the accounts and shared parts, the others wait until it has started
 * or ended. With existing accounts, starts only wait for a first start.
 */
export async function withStartLock<T>(ctx: AppContext, databaseUrl: string, start: () => Promise<T>): Promise<T> {
  const isShared = await hasAccounts(ctx);
  return withAdvisoryLock(databaseUrl, 'namehold-start', { lock: startLock, isShared, timeoutMs }, start);
}
