import type { Actor, AppContext } from '../../app-context.ts';
import { orderUpdate } from './order-update.ts';

/** The transfer lock that users toggle. Asked for twice it stays as it is; the registry is brought in line each time. */
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
