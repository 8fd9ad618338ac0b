import type { Tx } from '@namehold/postgres';
import type { Actor } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { type LockReseller, lockReseller } from './account.sql.ts';
import type { Reseller } from './account.ts';

/** For actions that a parent performs and an account cannot perform on itself. */
export async function lockOwnChild(
  tx: Tx,
  actor: Actor,
  id: string,
  deed: string,
  lock: LockReseller = lockReseller,
): Promise<Reseller> {
  const found = await lock(tx, actor.resellerId, id);
  if (!found) throw notFound('reseller');
  if (found.id === actor.resellerId)
    throw new Refusal('conflict', `An account cannot ${deed} itself. Its parent account can.`);
  return found;
}
