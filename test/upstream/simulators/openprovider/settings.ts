/** Prices for one year, in minor units. */
interface TldPrices {
  readonly create: number;
  readonly renew: number;
  readonly transfer: number;
  readonly restore: number;
}

export interface TldRules extends TldPrices {
  /** Openprovider's own expiry date is this many days before that of the registry. */
  readonly renewalOffsetDays?: number;
  /** A contact must have this field of `additional_data`. */
  readonly contactField?: string;
  readonly isAuthCodeSent?: boolean;
}

/** Where documents and clients of Openprovider differ, each of them is a setting here. */
export interface OpenproviderSettings {
  /** `strict` refuses fields that the documents do not name, and numbers and flags as texts. */
  readonly form: 'strict' | 'lenient';
  readonly username: string;
  readonly password: string;
  readonly currency: string;
  /** In minor units. */
  readonly funds: number;
  readonly seed: number;
  /** The HTTP status of a refusal: 500 in openprovider-mcp-new for wrong credentials, 200 elsewhere in the same client. */
  readonly refusalStatus: 200 | 400 | 500;
  /** The documents name a token's life of two days (article 360013974800). */
  readonly tokenHours: number;
  /** Whether a login ends earlier tokens. The documents do not say. */
  readonly oneToken: boolean;
  /** Whether a block after an identical create (4007) is for all requests or for this one. */
  readonly createBlock: 'all' | 'request';
  /** Whether `with_api_history` has the calls of a domain. Its depth is not documented. */
  readonly apiHistory: boolean;
  /** Where the account's auto-renewal is on, `default` renews. */
  readonly accountAutoRenew: boolean;
  /** Percent of tax in transactions. */
  readonly vat: number;
  /** Orders wait for `complete()`, as at registries that are not in real time. */
  readonly ordersWait: boolean;
  readonly tlds: Readonly<Record<string, TldRules>>;
  /** How many requests that are identical are answered within so many seconds (article 218390187). */
  readonly repeats: Readonly<Record<'query' | 'check' | 'create' | 'login' | 'badLogin', readonly [number, number]>>;
}

export const strictSettings: OpenproviderSettings = {
  form: 'strict',
  username: 'simulated-reseller',
  password: 'simulated-password-0123456789',
  currency: 'USD',
  funds: 100_000_00,
  seed: 1,
  refusalStatus: 500,
  tokenHours: 48,
  oneToken: true,
  createBlock: 'all',
  apiHistory: true,
  accountAutoRenew: true,
  vat: 0,
  ordersWait: false,
  tlds: {
    com: { create: 1_000, renew: 1_100, transfer: 1_000, restore: 8_000 },
    org: { create: 1_040, renew: 1_060, transfer: 1_020, restore: 7_000 },
    nl: { create: 500, renew: 500, transfer: 0, restore: 2_500, renewalOffsetDays: 2 },
    es: { create: 900, renew: 950, transfer: 900, restore: 2_500, contactField: 'passport_number' },
    eu: { create: 600, renew: 600, transfer: 600, restore: 2_500, isAuthCodeSent: true },
  },
  repeats: { query: [300, 300], check: [20, 300], create: [1, 10], login: [30, 60], badLogin: [100, 3_600] },
};

export const lenientSettings: OpenproviderSettings = {
  ...strictSettings,
  form: 'lenient',
  refusalStatus: 200,
  oneToken: false,
  createBlock: 'request',
  apiHistory: false,
  vat: 21,
};
