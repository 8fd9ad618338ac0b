/** Every bound on mail forwarding, in one place. */
export const mailLimits = {
  targetsPerAddress: 5,
  addressesPerDomain: 500,
  /** Forwarded names of ours that are followed before a target is refused. */
  steps: 10,
  /** The same, in all. */
  addressesFollowed: 100,
  recordTtlSeconds: 3_600,
  /** A target whose owner says nothing gets no mail any more. */
  answerDays: 7,
  /** Mails a day that ask one address, whoever asks. */
  consentRequestsPerDay: 3,
  /** Refusals for good, within this time, after which a target gets no more mail. */
  failures: 10,
  failureMs: 3 * 86_400_000,
} as const;

/** Mail for whatever has no address of its own; no local part is empty. */
export const catchAll = '';

/** RFC 5321 4.5.1, RFC 2142: whoever runs the name must be reachable there. */
export const dutyAddresses: ReadonlySet<string> = new Set(['postmaster', 'abuse']);

export type SpamWay = 'refuse' | 'mark';

/** One address below a name, and where its mail goes; a row of `mail_forward`. */
export interface MailForward {
  readonly local_part: string;
  readonly targets: readonly string[];
  /** `refuse`: an address that the catch-all does not take. */
  readonly action: 'forward' | 'refuse';
  readonly spam: SpamWay;
  readonly enabled: boolean;
}

/** What the owner of an address elsewhere said to one customer, and whether it takes mail. */
export type TargetState = 'waiting' | 'confirmed' | 'stopped' | 'failing' | 'lapsed';
