import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { demandFactor, demandsFactor, lockAccount } from './member.sql.ts';
import { dueAt } from './user.sql.ts';

/** The roles for which an account requires a second factor. Owners, and all users of the operator, always need one. */
export const factorRules = ['owners', 'everybody'] as const;
type FactorRule = (typeof factorRules)[number];

const ruleOf = (demands: boolean): FactorRule => (demands ? 'everybody' : 'owners');

export const readFactorRule = async (ctx: AppContext, actor: Actor): Promise<FactorRule> =>
  ruleOf(await demandsFactor(ctx.db.as(allTenants), actor.resellerId));

/** A user without one gets the same time as a new owner. */
export async function changeFactorRule(ctx: AppContext, actor: Actor, rule: FactorRule): Promise<FactorRule> {
  const { resellerId } = actor;
  await ctx.db.transaction(allTenants, async (tx) => {
    await lockAccount(tx, resellerId);
    const before = { second_factor: ruleOf(await demandsFactor(tx, resellerId)) };
    await demandFactor(tx, resellerId, rule === 'everybody', dueAt(ctx.wall.now()));
    const after = { second_factor: rule };
    const change = { action: 'account.sign_in_rules', objectType: 'reseller', objectId: resellerId, before, after };
    await audit(ctx, tx, actor, change);
  });
  return rule;
}
