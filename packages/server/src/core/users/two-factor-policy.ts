import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { isTwoFactorRequired, lockAccount, setTwoFactorRequired } from './member.sql.ts';
import { dueAt } from './user.sql.ts';

/**
 * Two-factor policy (2FA) of an account: the roles that must have a second factor. Owners and all users of the operator always need one:
 * `user.sql.ts` and `member.sql.ts` set their due date, and `http/steps/authorise.ts` refuses calls after it.
 */
export const twoFactorPolicies = ['owners', 'everybody'] as const;
type TwoFactorPolicy = (typeof twoFactorPolicies)[number];

const policyOf = (isForAll: boolean): TwoFactorPolicy => (isForAll ? 'everybody' : 'owners');

export const readTwoFactorPolicy = async (ctx: AppContext, actor: Actor): Promise<TwoFactorPolicy> =>
  policyOf(await isTwoFactorRequired(ctx.db.as(allTenants), actor.resellerId));

/** A user without a second factor gets the same time to add one as a new owner. */
export async function changeTwoFactorPolicy(
  ctx: AppContext,
  actor: Actor,
  policy: TwoFactorPolicy,
): Promise<TwoFactorPolicy> {
  const { resellerId } = actor;
  await ctx.db.transaction(allTenants, async (tx) => {
    await lockAccount(tx, resellerId);
    const before = { second_factor: policyOf(await isTwoFactorRequired(tx, resellerId)) };
    await setTwoFactorRequired(tx, resellerId, policy === 'everybody', dueAt(ctx.wall.now()));
    const after = { second_factor: policy };
    const change = { action: 'account.sign_in_rules', objectType: 'reseller', objectId: resellerId, before, after };
    await audit(ctx, tx, actor, change);
  });
  return policy;
}
