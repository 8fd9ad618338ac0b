import type { Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import type { Actor, House } from '../house.ts';
import { releaseName } from './follow.ts';
import { endWaiting, lockAddress, markVerified, type WaitingName } from './verification.sql.ts';

/** The address was confirmed to this reseller: every name of it that waited for that waits no more. */
export async function verifyAddress(
  house: House,
  tx: Tx,
  actor: Actor,
  link: { readonly reseller_id: string; readonly address_key: string },
  /** Where it was confirmed to somebody else, who says so. */
  confirmedAt?: Date,
): Promise<WaitingName[]> {
  const { reseller_id: resellerId, address_key: address } = link;
  const now = house.clock.now();
  await lockAddress(tx, resellerId, address);
  await markVerified(tx, resellerId, address, confirmedAt ?? now);
  const names = await endWaiting(tx, resellerId, address, now);
  for (const { id, name } of names) {
    await audit(house, tx, actor, { action: 'domain.verified', objectType: 'domain', objectId: id });
    const payload = { domain_id: id, domain_name: name };
    await appendEvent(house, tx, { resellerId, type: 'domain.verified', objectId: id, payload });
  }
  return names;
}

/** After the commit. What does not come off at once, the clockwork takes off. */
export function releaseNames(house: House, freed: readonly WaitingName[]): void {
  for (const domain of freed)
    if (domain.unverified)
      void releaseName(house, domain).catch((error: unknown) =>
        house.log.error({ err: error, domain_id: domain.id }, 'a hold could not be lifted'),
      );
}
