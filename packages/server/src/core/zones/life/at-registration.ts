import type { Tx } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { openNewZone, openZone } from './open.ts';
import { ownNameservers } from './template.ts';

/** True if the domain is delegated only to our nameservers. */
export function usesOurNameservers(ctx: AppContext, nameservers: readonly string[]): boolean {
  const own = new Set(ownNameservers(ctx.config));
  return nameservers.length > 0 && nameservers.every((host) => own.has(`${host}.`));
}

type DelegatedDomain = Pick<Domain, 'id' | 'reseller_id' | 'name' | 'nameservers'>;

/** In the transaction that makes a new domain active and holds its row: creates its zone if our nameservers are to answer for it. */
export function zoneAtRegistration(ctx: AppContext, tx: Tx, actor: Actor, domain: DelegatedDomain): Promise<void> {
  return zoneIfOurs(ctx, domain, () => openNewZone(ctx, tx, actor, domain));
}

/** In the transaction that delegates an existing domain to us. */
export function zoneAtDelegation(ctx: AppContext, tx: Tx, actor: Actor, domain: DelegatedDomain): Promise<void> {
  return zoneIfOurs(ctx, domain, () => openZone(ctx, tx, actor, domain, 'with default'));
}

/**
 * A zone that cannot be created, for example below one of another account, does not make the order fail. It is logged and created later.
 */
async function zoneIfOurs(ctx: AppContext, domain: DelegatedDomain, open: () => Promise<unknown>): Promise<void> {
  if (!usesOurNameservers(ctx, domain.nameservers)) return;
  try {
    await open();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.log.warn({ domain_id: domain.id, why: error.message }, 'failed to create a zone for a new domain');
  }
}
