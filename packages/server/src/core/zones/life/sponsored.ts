import type { Tx } from '@namehold/base';
import type { Domain, DomainState } from '../../domains/domain.ts';
import { Refusal } from '../../errors.ts';
import { shareState } from './life.sql.ts';

/** States in which the name is this reseller's. A pending one may yet turn out to be somebody else's. */
const heldStates: ReadonlySet<DomainState> = new Set(['live', 'redemption', 'pending_restore', 'pending_delete']);

/** A zone only for a name that is held here: whoever could claim another's name would answer for it. */
export function requireSponsored(domain: Pick<Domain, 'name' | 'state'>): void {
  if (heldStates.has(domain.state)) return;
  throw new Refusal(
    'conflict',
    `${domain.name} does not belong to this account now (${domain.state}), so its zone cannot be changed.`,
    {
      facts: { domainState: domain.state },
    },
  );
}

/** The same again under a lock, at the moment a zone is made. */
export async function requireSponsoredNow(tx: Tx, domain: Pick<Domain, 'id' | 'reseller_id' | 'name'>): Promise<void> {
  requireSponsored({ name: domain.name, state: (await shareState(tx, domain)) ?? 'removed' });
}
