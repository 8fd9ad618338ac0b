import type { Actor, AppContext } from '../app-context.ts';
import type { Reseller } from './account.ts';
import { setStatus } from './suspend.ts';

export async function activateReseller(ctx: AppContext, actor: Actor, id: string): Promise<Reseller> {
  return setStatus(ctx, actor, id, 'Active');
}
