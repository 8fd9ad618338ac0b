import type { Actor, House } from '../../house.ts';
import { orderUpdate } from './order-update.ts';

/** Takes the name out of the DNS (clientHold). A second call replaces the reason. */
export function suspendDomain(
  house: House,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
  reason: string | undefined,
): Promise<string> {
  return orderUpdate(house, actor, {
    domain,
    customerId,
    change: 'suspended',
    action: 'suspend',
    wanted: () => ({ flags: { suspended: true }, reason: reason ?? null }),
  });
}

export function resumeDomain(
  house: House,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
): Promise<string> {
  return orderUpdate(house, actor, {
    domain,
    customerId,
    change: 'suspended',
    action: 'resume',
    wanted: () => ({ flags: { suspended: false } }),
  });
}
