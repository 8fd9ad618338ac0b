import { NameError, normaliseName, type Tx } from '@namehold/base';
import { notFound, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { findDomain, findDomainByName, lockDomain } from './domain.sql.ts';
import type { Domain } from './domain.ts';

/** By id or by name; where a customer is named, the domain must be that customer's. */
export async function requireDomain(
  house: House,
  actor: Actor,
  idOrName: string,
  customerId?: string,
): Promise<Domain> {
  const db = house.db.as(actor.resellerId);
  const found = /^\d{1,18}$/.test(idOrName)
    ? await findDomain(db, actor.resellerId, idOrName)
    : await byName(house, actor, idOrName);
  if (!found || (customerId !== undefined && found.customer_id !== customerId)) throw notFound('domain');
  return found;
}

/** As it stands now, and stays until the transaction ends. One that is no longer the caller's is not there. */
export async function lockOwn(tx: Tx, actor: Actor, id: string): Promise<Domain> {
  const domain = await lockDomain(tx, actor.resellerId, id);
  if (!domain) throw notFound('domain');
  return domain;
}

async function byName(house: House, actor: Actor, text: string): Promise<Domain | undefined> {
  try {
    return await findDomainByName(house.db.as(actor.resellerId), actor.resellerId, normaliseName(text));
  } catch (error) {
    if (error instanceof NameError) return undefined;
    throw error;
  }
}

const inWords: Record<Domain['state'], string> = {
  pending: 'its registration is not finished',
  live: 'it is live',
  redemption: 'it was deleted and is in redemption; restore it first',
  pending_restore: 'its restore is not finished',
  pending_delete: 'it is about to be dropped',
  pending_transfer: 'a transfer is under way',
  removed: 'it is no longer here',
};

/** For changes that only make sense on a living name. */
export function requireLive(domain: Domain): void {
  if (domain.state !== 'live') {
    throw new Refusal('conflict', `${domain.name} cannot be changed: ${inWords[domain.state]}`, {
      facts: { domain_state: domain.state },
    });
  }
}

/** Nothing lifts `locked` or `suspended` on the caller's behalf. */
export function requireUnlocked(domain: Domain): void {
  if (domain.locked) {
    throw new Refusal(
      'domain_blocked',
      `${domain.name} is locked${domain.locked_reason ? ` (${domain.locked_reason})` : ''}; remove the lock first: DELETE /v1/domains/${domain.id}/locked`,
    );
  }
}
