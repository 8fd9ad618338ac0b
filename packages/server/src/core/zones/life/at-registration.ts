import type { Tx } from '@namehold/base';
import type { Domain } from '../../domains/domain.ts';
import { Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import { openZone } from './open.ts';
import { ownNameservers } from './template.ts';

/** True where a name is delegated to nobody but us. */
export function usesOurNameservers(house: House, nameservers: readonly string[]): boolean {
  const own = new Set(ownNameservers(house.config));
  return nameservers.length > 0 && nameservers.every((host) => own.has(`${host}.`));
}

/**
 * In the transaction that makes a domain live: its zone, where our nameservers are to answer for it. A zone that cannot be made (one
 * of another account stands above) is no reason to lose the name: it is left for later and said in the log.
 */
export async function zoneAtRegistration(
  house: House,
  tx: Tx,
  actor: Actor,
  domain: Pick<Domain, 'id' | 'reseller_id' | 'name' | 'nameservers'>,
): Promise<void> {
  if (!usesOurNameservers(house, domain.nameservers)) return;
  try {
    await openZone(house, tx, actor, domain);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    house.log.warn({ domain_id: domain.id, why: error.message }, 'no zone was made for a new domain');
  }
}
