import type { ListedPrice, OfferedTld, Reply } from '../ports/registry.ts';

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

/** Why an account cannot be used: `login` is refused credentials, an address that is not allowed, or a suspended account. */
export type TrialProblem = 'login' | 'currency' | 'rate_limit' | 'network' | 'answer';

export type Trial =
  | { readonly ok: false; readonly problem: TrialProblem; readonly why: string }
  | {
      readonly ok: true;
      /** Decimal text; null: not reported. */
      readonly balance: string | null;
      /** Null: the service has no list of domains. */
      readonly domains: number | null;
      /** Null: the service does not list them. */
      readonly offered: readonly OfferedTld[] | null;
    };

/** Queries of an account that change nothing. */
export interface UpstreamTrial {
  run(): Promise<Trial>;
  /** Null: the service has no price list. */
  prices(tlds: readonly string[]): Promise<Reply<readonly ListedPrice[]> | null>;
  close(): void;
}
