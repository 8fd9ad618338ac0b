import type { Limits } from '../server.ts';

export interface ProductPrices {
  readonly addnewdomain: number;
  readonly renewdomain: number;
  readonly addtransferdomain: number;
  readonly restoredomain: number;
}

export interface TldRules {
  readonly product: string;
  /** The contact type that the registrant must have. */
  readonly contactType?: string;
  /** Roles that take -1. */
  readonly without?: readonly string[];
  /** Attributes that a contact of this type must have. */
  readonly contactAttributes?: readonly string[];
}

/** Where documents and clients of LogicBoxes differ, each of them is a setting here. */
export interface LogicBoxesSettings {
  /** `strict` follows the documents to the letter; `lenient` takes what clients are known to send. */
  readonly form: 'strict' | 'lenient';
  readonly resellerId: string;
  readonly apiKey: string;
  readonly currency: string;
  /** In minor units. */
  readonly funds: number;
  readonly seed: number;
  /** The documents require `auto-renew` in register, transfer and renew; FOSSBilling and WWW::LogicBoxes do not send it. */
  readonly autoRenewRequired: boolean;
  /** FOSSBilling's issue 2096 reports status 500 with a refusal; other clients met 200. */
  readonly refusalStatus: 200 | 500;
  /** The documents do not say that an outdated `exp-date` is refused; only clients do. */
  readonly outdatedExpDateRefused: boolean;
  /** Whether an order without money is refused or waits for funds. */
  readonly withoutFunds: 'refuse' | 'wait';
  /** Whether a search for actions without a result is an error (ClientExec) or an empty list. */
  readonly emptyActionSearch: 'error' | 'empty';
  /** `contacts/modify` was switched off (FOSSBilling's issue 2365). */
  readonly contactsModify: boolean;
  /** Whether questions are also taken with POST. */
  readonly postForQuestions: boolean;
  /** A register, renew or transfer order waits for `complete()`. */
  readonly ordersWait: boolean;
  /** Days after the creation in which a delete is refunded. */
  readonly refundDays: number;
  readonly products: Readonly<Record<string, ProductPrices>>;
  readonly tlds: Readonly<Record<string, TldRules>>;
  readonly limits: Limits;
}

const prices = (add: number, renew: number, transfer: number, restore: number): ProductPrices => ({
  addnewdomain: add,
  renewdomain: renew,
  addtransferdomain: transfer,
  restoredomain: restore,
});

const common = {
  resellerId: '998877',
  apiKey: 'simulated-key-0123456789abcdef',
  currency: 'USD',
  funds: 100_000_00,
  seed: 1,
  outdatedExpDateRefused: true,
  withoutFunds: 'refuse',
  emptyActionSearch: 'error',
  contactsModify: false,
  ordersWait: false,
  refundDays: 5,
  products: {
    domcno: prices(1_029, 1_099, 1_029, 8_000),
    dotnet: prices(1_199, 1_299, 1_199, 8_000),
    domorg: prices(1_099, 1_199, 1_099, 8_000),
    thirdleveldotuk: prices(699, 749, 0, 2_000),
    dotes: prices(799, 849, 799, 2_500),
    dotca: prices(1_349, 1_399, 1_349, 4_000),
  },
  tlds: {
    com: { product: 'domcno' },
    net: { product: 'dotnet' },
    org: { product: 'domorg' },
    'co.uk': { product: 'thirdleveldotuk', contactType: 'UkContact', without: ['admin', 'tech', 'billing'] },
    es: { product: 'dotes', contactType: 'EsContact', contactAttributes: ['es_identificacion'] },
    ca: { product: 'dotca', contactType: 'CaContact', without: ['billing'], contactAttributes: ['CPR'] },
  },
  limits: {},
} as const;

export const strictSettings: LogicBoxesSettings = {
  ...common,
  form: 'strict',
  autoRenewRequired: true,
  refusalStatus: 500,
  postForQuestions: false,
};

export const lenientSettings: LogicBoxesSettings = {
  ...common,
  form: 'lenient',
  autoRenewRequired: false,
  refusalStatus: 500,
  postForQuestions: true,
};
