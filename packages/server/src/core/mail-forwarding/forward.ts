/** Limits of mail forwarding. */
export const mailLimits = {
  targetsPerAddress: 5,
  addressesPerDomain: 500,
  /** Forwarded domains of this service that are followed before a target is refused. */
  steps: 10,
  /** The same limit for all targets together. */
  addressesFollowed: 100,
  recordTtlSeconds: 3_600,
  /** A target that is not confirmed within this time expires. */
  answerDays: 7,
  /** Consent requests a day to one mailbox, from all accounts. */
  consentRequestsPerDay: 3,
  /** Of one customer, whatever others sent: only a customer with a domain sends them. */
  consentRequestsOfCustomer: 1,
  /** Permanent refusals within this time after which a target gets no more mail. */
  failures: 10,
  failureMs: 3 * 86_400_000,
} as const;

/** The catch-all. An empty local part cannot occur in an address. */
export const catchAll = '';

/** RFC 5321 4.5.1, RFC 2142: the administrator of a domain must be reachable at these. */
export const dutyAddresses: ReadonlySet<string> = new Set(['postmaster', 'abuse']);

export type SpamWay = 'refuse' | 'mark';

/** One address of a domain and its targets; a row of `mail_forward`. */
export interface MailForward {
  readonly local_part: string;
  readonly targets: readonly string[];
  /** `refuse`: an address that is excluded from the catch-all. */
  readonly action: 'forward' | 'refuse';
  readonly spam: SpamWay;
  readonly enabled: boolean;
}

/** The consent of an address owner to one customer, and the delivery state. */
export type TargetState = 'waiting' | 'confirmed' | 'stopped' | 'failing' | 'lapsed';
