import type { Actor, House } from '../../house.ts';
import { orderUpdate } from './order-update.ts';

/** The administrative lock: no transfer, no change, no delete until it is taken away by its own call. */
export function lockDomainUp(
  house: House,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
  reason: string | undefined,
): Promise<string> {
  return orderUpdate(house, actor, {
    domain,
    customerId,
    change: 'locked',
    action: 'lock',
    wanted: () => ({ flags: { locked: true }, reason: reason ?? null }),
  });
}

export function unlockDomain(
  house: House,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
): Promise<string> {
  return orderUpdate(house, actor, {
    domain,
    customerId,
    change: 'locked',
    action: 'unlock',
    wanted: () => ({ flags: { locked: false } }),
  });
}
