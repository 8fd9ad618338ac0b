import type { Domain } from '../domains/domain.ts';

type BlockedFacts = Pick<Domain, 'state' | 'suspended' | 'unverified' | 'unpaid'> &
  Partial<Pick<Domain, 'removed_reason'>>;

/**
 * Why requests for a name are not forwarded, in a word for people; undefined: they are. As its zone, a name that went to another registrar is
 * served on for a while, so that the new one can take over without a gap; what kept it from being served before still does.
 */
export function whyBlocked(domain: BlockedFacts): string | undefined {
  const hasLeft = domain.state === 'removed' && domain.removed_reason === 'transferred_away';
  if (!hasLeft && domain.state !== 'live' && domain.state !== 'pending_transfer') return `the name is ${domain.state}`;
  if (domain.suspended) return 'the name is suspended';
  if (domain.unverified) return 'the holder has not confirmed the address';
  return domain.unpaid ? 'the next term of the name is unpaid' : undefined;
}
