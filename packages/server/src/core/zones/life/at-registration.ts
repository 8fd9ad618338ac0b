import type { AppContext } from '../../app-context.ts';
import type { domainRegistered, domainTransferredIn, domainUpdated } from '../../domains/effects.ts';
import type { EventAt } from '../../effects.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { openNewZone, openZone } from './open.ts';
import { ownNameservers } from './template.ts';

/** True if the domain is delegated only to our nameservers. */
export function usesOurNameservers(ctx: AppContext, nameservers: readonly string[]): boolean {
  const own = new Set(ownNameservers(ctx.config));
  return nameservers.length > 0 && nameservers.every((host) => own.has(`${host}.`));
}

/** In the transaction that makes a new domain active and holds its row: creates its zone if our nameservers are to answer for it. */
export const zoneAtRegistration = (
  event: Omit<EventAt<typeof domainRegistered>, 'rules' | 'verification'>,
): Promise<void> =>
  event.isActivated
    ? zoneIfOurs(event.ctx, event.domain, () => openNewZone(event.ctx, event.tx, event.actor, event.domain))
    : zoneAtDelegation(event);

/** In the transaction that delegates an existing domain to us. */
export const zoneAtDelegation = ({ ctx, tx, actor, domain }: EventAt<typeof domainTransferredIn>): Promise<void> =>
  zoneIfOurs(ctx, domain, () => openZone(ctx, tx, actor, domain, 'with default'));

export async function zoneAfterUpdate(event: EventAt<typeof domainUpdated>): Promise<void> {
  if (event.wanted.nameservers) await zoneAtDelegation(event);
}

/**
 * A zone that cannot be created, for example below one of another account, does not make the order fail. It is logged and created later.
 */
async function zoneIfOurs(ctx: AppContext, domain: Domain, open: () => Promise<unknown>): Promise<void> {
  if (!usesOurNameservers(ctx, domain.nameservers)) return;
  try {
    await open();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.log.warn({ domain_id: domain.id, why: error.message }, 'failed to create a zone for a new domain');
  }
}
