import type { Actor, House } from '../house.ts';
import type { Reseller } from './account.ts';
import { setStatus } from './suspend.ts';

export async function activateReseller(house: House, actor: Actor, id: string): Promise<Reseller> {
  return setStatus(house, actor, id, 'Active');
}
