import type { Limits } from '../server.ts';

export interface TldPrices {
  readonly new: number;
  readonly renewal: number;
  readonly transfer: number;
  readonly redeem: number;
}

/** Where documents and clients of OpenSRS differ, each of them is a setting here. */
export interface OpenSrsSettings {
  /** `strict` refuses attributes that the documents do not name. */
  readonly form: 'strict' | 'lenient';
  readonly username: string;
  readonly key: string;
  readonly currency: string;
  /** In minor units. */
  readonly funds: number;
  readonly seed: number;
  /** The code for a domain of another account: 480 in the list of codes, 415 at Upmind, 400 in Net::OpenSRS. */
  readonly unknownDomain: 400 | 415 | 480;
  /** A renewal by the year before: 555 in a summary of the documents, 465 in a public client. */
  readonly repeatedRenewal: 465 | 555;
  /** A renewal while another waits: 437, or 400 with "Domain already renewed". */
  readonly renewalUnderWay: 400 | 437;
  /** Whether an order keeps `affiliate_id` for renewals too. The documents do not say. */
  readonly renewalKeepsAffiliate: boolean;
  /** The account's own setting, for an order without `handle`. */
  readonly processImmediately: boolean;
  /** Orders wait for `complete()`, as at an asynchronous registry. */
  readonly ordersWait: boolean;
  /** Events are off until they are switched on in the panel. */
  readonly events: boolean;
  /** Days after the creation in which `revoke` is refunded. */
  readonly refundDays: number;
  /** The answer to an order without money. */
  readonly withoutFunds: number;
  readonly tlds: Readonly<Record<string, TldPrices>>;
  readonly limits: Limits;
}

export const strictSettings: OpenSrsSettings = {
  form: 'strict',
  username: 'simulated-reseller',
  key: '0123456789abcdef'.repeat(7),
  currency: 'USD',
  funds: 100_000_00,
  seed: 1,
  unknownDomain: 480,
  repeatedRenewal: 555,
  renewalUnderWay: 437,
  renewalKeepsAffiliate: true,
  processImmediately: true,
  ordersWait: false,
  events: false,
  refundDays: 5,
  withoutFunds: 440,
  tlds: {
    com: { new: 1_050, renewal: 1_150, transfer: 1_050, redeem: 8_500 },
    net: { new: 1_250, renewal: 1_350, transfer: 1_250, redeem: 8_500 },
    org: { new: 1_150, renewal: 1_250, transfer: 1_150, redeem: 8_500 },
  },
  limits: {},
};

export const lenientSettings: OpenSrsSettings = { ...strictSettings, form: 'lenient' };
