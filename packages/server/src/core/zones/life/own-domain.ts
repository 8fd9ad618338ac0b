import type { Tx } from '@namehold/postgres';
import { Refusal } from '../../errors.ts';
import type { Domain, DomainState } from '../../model/domain.ts';
import { shareState } from './life.sql.ts';

/** States in which the domain belongs to this reseller. A pending domain may in the end be registered by another registrant. */
const heldStates: ReadonlySet<DomainState> = new Set(['live', 'redemption', 'pending_restore', 'pending_delete']);

/** A zone is only allowed for a domain of the account: otherwise an account could answer for a domain that it does not have. */
export function requireOwnDomain(domain: Pick<Domain, 'name' | 'state'>): void {
  if (heldStates.has(domain.state)) return;
  throw new Refusal(
    'conflict',
    `${domain.name} does not belong to this account now (${domain.state}), so its zone cannot be changed.`,
    {
      facts: { domainState: domain.state },
    },
  );
}

/** The same check under a lock, when a zone is created. */
export async function requireOwnDomainNow(tx: Tx, domain: Pick<Domain, 'id' | 'reseller_id' | 'name'>): Promise<void> {
  requireOwnDomain({ name: domain.name, state: (await shareState(tx, domain)) ?? 'removed' });
}
