import { Refusal } from '../../errors.ts';
import type { Domain } from '../domain.ts';
import { requireLive, requireUnlocked } from '../find.ts';

/** Nothing lifts `suspended` on the caller's behalf: a name that was put on hold stays as it was when that happened. */
export function requireNotSuspended(domain: Domain): void {
  if (!domain.suspended) return;
  const why = domain.suspended_reason ? ` (${domain.suspended_reason})` : '';
  throw new Refusal(
    'domain_blocked',
    `${domain.name} is suspended${why}; lift the suspension first: DELETE /v1/domains/${domain.id}/suspended`,
  );
}

export type Barrier = 'locked' | 'suspended';

/** A living name that none of these flags keeps as it is. */
export function requireChangeable(domain: Domain, barriers: readonly Barrier[] = ['locked', 'suspended']): void {
  requireLive(domain);
  if (barriers.includes('locked')) requireUnlocked(domain);
  if (barriers.includes('suspended')) requireNotSuspended(domain);
}
