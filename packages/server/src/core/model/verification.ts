import type { Domain } from './domain.ts';

export type VerificationCause = NonNullable<Domain['verify_cause']>;

/** What a domain waits for from a moment on, unless the address of its registrant is confirmed by then. */
export interface VerificationWait {
  readonly since: Date;
  readonly by: Date;
  readonly cause: VerificationCause;
  /** An address that got its mail after this gets no other. */
  readonly lately: Date;
  /** Whether the domain goes on hold at the deadline. */
  readonly hold: boolean;
}

export interface RegistrantToVerifyRow {
  readonly name: string;
  readonly email: string;
  readonly country_code: string;
  /** The address was confirmed to this reseller before. */
  readonly is_verified: boolean;
  /** Recent mails with a link to an unconfirmed address. */
  readonly links: number;
}

type VerificationState = 'not_asked' | 'over' | 'pending' | 'held' | 'held_there' | 'verified';

/** The verification state of a domain's registrant. */
export function verificationState(
  domain: Pick<Domain, 'state' | 'verify_since' | 'verify_by' | 'unverified' | 'registry_hold'>,
): VerificationState {
  if (domain.state === 'removed' && (domain.unverified || domain.verify_by)) return 'over';
  if (domain.unverified) return 'held';
  if (domain.registry_hold === 'unverified' && domain.state !== 'removed') return 'held_there';
  if (domain.verify_by) return 'pending';
  return domain.verify_since ? 'verified' : 'not_asked';
}
