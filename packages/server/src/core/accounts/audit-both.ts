import type { Tx } from '@namehold/base';
import { audit, type Change } from '../audit/audit.ts';
import type { Actor, House } from '../house.ts';

/** What a parent does to a child is in the parent's log and in the child's. */
export async function auditBoth(house: House, tx: Tx, actor: Actor, childId: string, change: Change): Promise<void> {
  await audit(house, tx, actor, change);
  if (childId !== actor.resellerId) await audit(house, tx, actor, { ...change, resellerId: childId });
}
