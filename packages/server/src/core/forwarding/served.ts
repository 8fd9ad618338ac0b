import type { Domain } from '../model/domain.ts';

type BlockedFacts = Pick<Domain, 'state' | 'suspended' | 'unverified' | 'unpaid'> &
  Partial<Pick<Domain, 'removed_reason'>>;

/**
 * Why requests for a domain are not forwarded, as a text for users. Undefined: they are. A transferred-out domain is served for a while,
 * as its zone is; earlier reasons still apply.
 */
export function whyBlocked(domain: BlockedFacts): string | undefined {
  const hasLeft = domain.state === 'removed' && domain.removed_reason === 'transferred_away';
  if (!hasLeft && domain.state !== 'live' && domain.state !== 'pending_transfer')
    return `the domain is ${domain.state}`;
  if (domain.suspended) return 'the domain is suspended';
  if (domain.unverified) return 'the registrant has not confirmed the email address';
  return domain.unpaid ? 'the next term of the domain is not paid' : undefined;
}
