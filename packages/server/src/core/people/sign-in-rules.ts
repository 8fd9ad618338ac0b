import { everyTenant } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import type { Actor, House } from '../house.ts';
import { demandFactor, demandsFactor, lockAccount } from './member.sql.ts';
import { dueAt } from './person.sql.ts';

/** Of whom an account demands a second factor. Owners, and everybody at the operator's, need one in any case. */
export const factorRules = ['owners', 'everybody'] as const;
export type FactorRule = (typeof factorRules)[number];

const ruleOf = (demands: boolean): FactorRule => (demands ? 'everybody' : 'owners');

export const readFactorRule = async (house: House, actor: Actor): Promise<FactorRule> =>
  ruleOf(await demandsFactor(house.db.as(everyTenant), actor.resellerId));

/** Who has none yet gets as long as a new owner. */
export async function changeFactorRule(house: House, actor: Actor, rule: FactorRule): Promise<FactorRule> {
  const { resellerId } = actor;
  await house.db.transaction(everyTenant, async (tx) => {
    await lockAccount(tx, resellerId);
    const before = { second_factor: ruleOf(await demandsFactor(tx, resellerId)) };
    await demandFactor(tx, resellerId, rule === 'everybody', dueAt(house.wall.now()));
    const after = { second_factor: rule };
    const change = { action: 'account.sign_in_rules', objectType: 'reseller', objectId: resellerId, before, after };
    await audit(house, tx, actor, change);
  });
  return rule;
}
