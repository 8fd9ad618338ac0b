import type { Tx } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import type { Domain } from '../../domains/domain.ts';
import { Refusal } from '../../errors.ts';
import { openNewZone, openZone } from './open.ts';
import { ownNameservers } from './template.ts';

/** True where a name is delegated to nobody but us. */
export function usesOurNameservers(ctx: AppContext, nameservers: readonly string[]): boolean {
  const own = new Set(ownNameservers(ctx.config));
  return nameservers.length > 0 && nameservers.every((host) => own.has(`${host}.`));
}

type DelegatedDomain = Pick<Domain, 'id' | 'reseller_id' | 'name' | 'nameservers'>;

/** In the transaction that makes a new name live and so holds its row: its zone, where our nameservers are to answer for it. */
export function zoneAtRegistration(ctx: AppContext, tx: Tx, actor: Actor, domain: DelegatedDomain): Promise<void> {
  return zoneIfOurs(ctx, domain, () => openNewZone(ctx, tx, actor, domain));
}

/** In the transaction after which a name that was somewhere before is delegated to us. */
export function zoneAtDelegation(ctx: AppContext, tx: Tx, actor: Actor, domain: DelegatedDomain): Promise<void> {
  return zoneIfOurs(ctx, domain, () => openZone(ctx, tx, actor, domain, 'with default'));
}

/** A zone that cannot be made (one of another account stands above) is no reason to lose the name: it is left for later and said in the log. */
async function zoneIfOurs(ctx: AppContext, domain: DelegatedDomain, open: () => Promise<unknown>): Promise<void> {
  if (!usesOurNameservers(ctx, domain.nameservers)) return;
  try {
    await open();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.log.warn({ domain_id: domain.id, why: error.message }, 'no zone was made for a new domain');
  }
}
