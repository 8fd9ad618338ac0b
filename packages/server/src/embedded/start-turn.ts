import { oneAtATime } from '@namehold/base';
import { hasAccounts } from '../core/accounts/first-accounts.ts';
import type { House } from '../core/house.ts';

/** Ours alone; in guests.ts there is another. */
const startLock = 4_711_207_004;
/** One that hangs in its start does not keep the others from theirs. */
const patienceMs = 120_000;

/**
 * Of several that start on an empty database at once, on one machine or on many, one makes what all of them need; the others wait until it is up, or
 * gone. Where there are accounts already, nobody waits for anybody but a first start.
 */
export async function inStartTurn<T>(house: House, databaseUrl: string, start: () => Promise<T>): Promise<T> {
  const isShared = await hasAccounts(house);
  return oneAtATime(databaseUrl, 'namehold-start', { lock: startLock, isShared, patienceMs }, start);
}
