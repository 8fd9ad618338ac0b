import type { Side } from './registrant-change.ts';

/** The account's security settings for its domains. */
export interface Security {
  /** Changes that wait for the approval of another principal. */
  readonly second_yes: readonly GuardedKind[];
  /** Whether new domains start with theft protection; null: the operator's setting. */
  readonly theft_protection: boolean | null;
}

/** Changes that can hijack or lose a domain: its nameservers, its DNSSEC data, what a transfer out needs, its deletion. */
export const guardedKinds = ['nameservers', 'ds', 'auth_code', 'unlock', 'delete'] as const;
export type GuardedKind = (typeof guardedKinds)[number];

/** The approval that an operation waits for, and its result. Shown to the reseller: no secrets. */
export interface Approval {
  /** `security`: the account's own choice of changes that need approval. */
  readonly change: GuardedKind | 'security' | 'move' | 'holder';
  readonly wanted: Readonly<Record<string, unknown>>;
  /** The answering key needs one of these: the scopes of the call itself. */
  readonly scopes: readonly string[];
  readonly asked_by: string;
  readonly until: string;
  /** The requesting key or session was revoked meanwhile: it can only be declined. */
  readonly requester_revoked?: boolean;
  /**
   * The party whose approval it waits for: by default another principal of the account. A move goes to the receiving reseller if it is
   * named here.
   */
  readonly awaits?: 'taker' | 'holders';
  /** A change of registrant: the parties that have to confirm, and when each did. */
  readonly sides?: Readonly<Partial<Record<Side, string | null>>>;
  /** No transfer lock follows: as requested, until the prior registrant has chosen. */
  readonly lock_opt_out?: boolean;
  readonly answer?: Answer;
  /** The answering key; null if it expired. */
  readonly answered_by?: string | null;
  readonly answered_at?: string;
}

export type Answer = 'given' | 'declined' | 'lapsed';

export const approvalChoices = ['approve', 'decline'] as const;

export const approvalLimits = {
  /**
   * Open requests of one principal on one domain, or for the account's own settings. Further requests are refused until one is answered.
   */
  waiting: 20,
  /** An auth code that was made with an approval is shown once, within this time. */
  codeShownMs: 3_600_000,
  expiredPerRun: 200,
};
