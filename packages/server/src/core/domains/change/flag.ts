import type { Actor, AppContext } from '../../app-context.ts';
import { orderUpdate } from './order-update.ts';

/**
 * Flags with a reason. `locked`: no transfer, change or delete until the unlock call. `suspended`: the domain is out of the DNS
 * (clientHold) and cannot be changed unless it `takesChanges`; a second call replaces the reason.
 */
const actions = {
  locked: { raise: 'lock', lift: 'unlock' },
  suspended: { raise: 'suspend', lift: 'resume' },
} as const;

interface Where {
  /** Id or domain name. */
  readonly domain: string;
  readonly customerId: string | undefined;
}

export function raiseFlag(
  ctx: AppContext,
  actor: Actor,
  flag: keyof typeof actions,
  where: Where,
  { reason, takesChanges = false }: { readonly reason: string | undefined; readonly takesChanges?: boolean },
): Promise<string> {
  const wanted = () => ({ flags: { [flag]: true }, reason: reason ?? null, ...(takesChanges ? { takesChanges } : {}) });
  return orderUpdate(ctx, actor, { ...where, change: flag, action: actions[flag].raise, wanted });
}

export function liftFlag(ctx: AppContext, actor: Actor, flag: keyof typeof actions, where: Where): Promise<string> {
  const wanted = () => ({ flags: { [flag]: false } });
  return orderUpdate(ctx, actor, { ...where, change: flag, action: actions[flag].lift, wanted });
}
