import type { Actor, AppContext } from '../../app-context.ts';
import { orderUpdate } from './order-update.ts';

/**
 * The transfer lock that users switch on and off. A repeated call changes nothing here, and sets the registry's status again if it
 * differs.
 */
export function switchTheftProtection(
  ctx: AppContext,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
  on: boolean,
): Promise<string> {
  return orderUpdate(ctx, actor, {
    domain,
    customerId,
    change: 'theft_protection',
    wanted: () => ({ flags: { theft_protection: on } }),
  });
}
