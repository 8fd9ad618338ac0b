import type { Clock } from '@namehold/base';
import type { ListedPrice, OfferedTld } from './registry.ts';

/** A service at which shops have an account: its address, and what its panel calls the credentials. */
export interface UpstreamService {
  readonly title: string;
  /** Left out: the operator states it. */
  readonly host?: string;
  readonly testHost?: string;
  /** Default: 443. */
  readonly port?: number;
  readonly login: {
    readonly id: string;
    readonly secret: string;
    /** Only if domains belong to a customer of our account there. */
    readonly customer?: string;
  };
  /** False: the account does not report its TLDs. Default: true. */
  readonly listsTlds?: boolean;
  /** What to check if the account is refused. */
  readonly account: string;
  readonly profile: Readonly<Record<string, unknown>>;
  /** For its test system, if it differs. */
  readonly testProfile?: Readonly<Record<string, unknown>>;
}

/** A connection that is not stored yet. */
export interface UpstreamLogin {
  readonly id: string;
  /** As `readProfile` returns it. */
  readonly profile: object;
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  readonly secret: string;
  readonly caPem?: string | undefined;
  readonly pins?: readonly string[] | undefined;
  readonly sourceAddress?: string | undefined;
}

/**
 * Why an account cannot be used. `login`: refused credentials, an address that is not allowed, or a suspended account. `slow`: the time
 * of the caller was over.
 */
export const trialProblems = ['login', 'currency', 'rate_limit', 'network', 'slow', 'answer'] as const;
export type TrialProblem = (typeof trialProblems)[number];

export type Trial =
  | { readonly ok: false; readonly problem: TrialProblem; readonly why: string }
  | {
      readonly ok: true;
      /** Decimal text; null: not reported. */
      readonly balance: string | null;
      /** Null: the service has no list of domains. */
      readonly domains: number | null;
      /** False: the time was over before all domains were counted. */
      readonly isCountComplete: boolean;
      /** Null: the service does not list them. */
      readonly offered: readonly OfferedTld[] | null;
    };

export type TrialFailure = Extract<Trial, { ok: false }>;
export type TrialSuccess = Extract<Trial, { ok: true }>;

/** Queries of an account that change nothing. */
export interface UpstreamTrial {
  /** `countsDomains`: default true. A long list takes many requests. */
  run(options?: { readonly countsDomains?: boolean }): Promise<Trial>;
  /** Null: the service has no price list. */
  prices(tlds: readonly string[]): Promise<readonly ListedPrice[] | TrialFailure | null>;
  close(): void;
}

/** Only what core reads of a profile. */
type ConnectionProfile = { readonly limits: { readonly sessions: number } } & Record<string, unknown>;

/** The services that are known, and tests of accounts there. */
export interface UpstreamAccounts {
  readonly services: Readonly<Record<string, UpstreamService>>;
  /** Parses a profile; errors name their path. */
  readProfile(json: string, id: string): ConnectionProfile;
  /** `limitMs`: the time for all queries together; without it there is no limit. */
  openTrial(
    ctx: { readonly wall: Clock },
    login: UpstreamLogin,
    options?: { readonly limitMs?: number },
  ): Promise<UpstreamTrial>;
}
