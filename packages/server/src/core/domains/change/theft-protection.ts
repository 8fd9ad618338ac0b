import type { Actor, House } from '../../house.ts';
import { orderUpdate } from './order-update.ts';

/** The transfer lock that users toggle. Asked for twice it stays as it is; the registry is brought in line each time. */
export function switchTheftProtection(
  house: House,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
  on: boolean,
): Promise<string> {
  return orderUpdate(house, actor, {
    domain,
    customerId,
    change: 'theft_protection',
    wanted: () => ({ flags: { theft_protection: on } }),
  });
}
