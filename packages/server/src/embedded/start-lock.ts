import { withAdvisoryLock } from '@namehold/base';
import { hasAccounts } from '../core/accounts/first-accounts.ts';
import type { AppContext } from '../core/app-context.ts';

/** Ours alone; in guests.ts there is another. */
const startLock = 4_711_207_004;
/** One that hangs in its start does not keep the others from theirs. */
const patienceMs = 120_000;

/**
 * Of several that start on an empty database at once, on one machine or on many, one makes what all of them need; the others wait until it is up, or
 * gone. Where there are accounts already, nobody waits for anybody but a first start.
 */
export async function withStartLock<T>(ctx: AppContext, databaseUrl: string, start: () => Promise<T>): Promise<T> {
  const isShared = await hasAccounts(ctx);
  return withAdvisoryLock(databaseUrl, 'namehold-start', { lock: startLock, isShared, patienceMs }, start);
}
