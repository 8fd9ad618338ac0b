import { notFound, Refusal } from '../errors.ts';
import { type Actor, type House, writeWide } from '../house.ts';
import { setLooksAfterHolders } from './account.sql.ts';
import type { Reseller } from './account.ts';
import { auditBoth } from './audit-both.ts';

/**
 * Who speaks to the holders of an account's names: the account itself, or the platform. The duty to have their confirmation stays the
 * platform's, so only its operator can say so.
 */
export async function letLookAfterHolders(house: House, actor: Actor, id: string, on: boolean): Promise<Reseller> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return writeWide(house, actor, async (tx) => {
    const after = await setLooksAfterHolders(tx, id, on);
    if (!after) throw notFound('reseller');
    const change = { action: 'reseller.holders', objectType: 'reseller', objectId: id } as const;
    await auditBoth(house, tx, actor, id, { ...change, after: { looks_after_holders: on } });
    return after;
  });
}
