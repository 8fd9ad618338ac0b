import type { Domain } from '../domains/domain.ts';

export type VerificationCause = NonNullable<Domain['verify_cause']>;

export type VerificationState = 'not_asked' | 'over' | 'pending' | 'held' | 'held_there' | 'verified';

/** How the confirmation of a name's holder stands. */
export function verificationState(
  domain: Pick<Domain, 'state' | 'verify_since' | 'verify_by' | 'unverified' | 'registry_hold'>,
): VerificationState {
  if (domain.state === 'removed' && (domain.unverified || domain.verify_by)) return 'over';
  if (domain.unverified) return 'held';
  if (domain.registry_hold === 'unverified' && domain.state !== 'removed') return 'held_there';
  if (domain.verify_by) return 'pending';
  return domain.verify_since ? 'verified' : 'not_asked';
}
