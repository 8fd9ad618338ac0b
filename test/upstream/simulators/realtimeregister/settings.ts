import type { Limits } from '../server.ts';

interface TldRules {
  /** The registry, which the API calls the provider. */
  readonly provider: string;
  /** Prices of a year, in cents. */
  readonly create: number;
  readonly renew: number;
  readonly transfer: number;
  readonly restore: number;
  /** Roles that the TLD does not have. */
  readonly without?: readonly string[];
  /** A property that the registrant must have. */
  readonly property?: string;
  /** Seconds before its end at which a domain must be renewed. */
  readonly expiryDateOffset?: number;
}

/** What the documents and the SDKs of Realtime Register leave open is a setting. */
export interface RealtimeRegisterSettings {
  /** `strict` refuses fields and filters that the documents do not have; `lenient` ignores them. */
  readonly form: 'strict' | 'lenient';
  /** The handle of the account. */
  readonly customer: string;
  readonly apiKey: string;
  readonly currency: string;
  /** In cents. */
  readonly funds: number;
  readonly seed: number;
  /** 0: an order is executed and answered with 200 or 201. Otherwise 202, and it is executed before the request with this number. */
  readonly executedAfterRequests: number;
  /** The document of the API has the id of a process in the body; the SDK for TypeScript reads it from a header. */
  readonly processIdIn: 'body' | 'header';
  /** The page about errors has 400 for `ObjectDoesNotExist`, other documents have 404, and the SDK for PHP reads no body with 404. */
  readonly missing: 'status_400' | 'status_404' | 'empty_404';
  /** Whether a domain of another account is missing or forbidden. */
  readonly otherAccount: 'missing' | 'forbidden';
  /** How an address is refused that is not on the list. */
  readonly addressRefusal: 401 | 403;
  /** `unknown`: the field is refused. `ignored`: it has no effect. `checked`: an outdated date is refused. */
  readonly expiryDateOfRenewal: 'unknown' | 'ignored' | 'checked';
  /** A refund is a transaction of its own, beside the field of the process. */
  readonly refundsAreTransactions: boolean;
  /** Days after the creation in which a delete is refunded. */
  readonly refundDays: number;
  readonly tlds: Readonly<Record<string, TldRules>>;
  readonly limits: Limits;
}

const common = {
  customer: 'exampleshop',
  apiKey: 'simulated-key-0123456789abcdef',
  currency: 'USD',
  funds: 100_000_00,
  seed: 1,
  addressRefusal: 401,
  refundDays: 5,
  tlds: {
    com: { provider: 'verisign', create: 1_029, renew: 1_099, transfer: 1_029, restore: 8_000 },
    org: { provider: 'pir', create: 1_099, renew: 1_199, transfer: 1_099, restore: 8_000 },
    nl: {
      provider: 'sidn',
      create: 499,
      renew: 499,
      transfer: 0,
      restore: 1_000,
      property: 'nl-legalForm',
      expiryDateOffset: 86_400,
    },
    'co.uk': {
      provider: 'nominet',
      create: 699,
      renew: 749,
      transfer: 0,
      restore: 2_000,
      without: ['ADMIN', 'BILLING', 'TECH'],
    },
  },
  limits: {},
} as const;

export const strictSettings: RealtimeRegisterSettings = {
  ...common,
  form: 'strict',
  executedAfterRequests: 1,
  processIdIn: 'header',
  missing: 'status_400',
  otherAccount: 'missing',
  expiryDateOfRenewal: 'unknown',
  refundsAreTransactions: false,
};

export const lenientSettings: RealtimeRegisterSettings = {
  ...common,
  form: 'lenient',
  executedAfterRequests: 0,
  processIdIn: 'body',
  missing: 'empty_404',
  otherAccount: 'forbidden',
  expiryDateOfRenewal: 'ignored',
  refundsAreTransactions: true,
};
