import type { DecimalText, OtherExtensions } from './extension.ts';

/** Verisign balance-1.0: queries the registrar's account at the registry. */
export type BalanceInfoRequest = { readonly object: 'balance'; readonly verb: 'info'; readonly ext?: OtherExtensions };
export type BalanceInfData = {
  readonly object: 'balance';
  readonly type: 'infData';
  readonly creditLimit: DecimalText;
  /** The used part of the credit limit; `availableCredit` is the remainder. */
  readonly balance: DecimalText;
  readonly availableCredit: DecimalText;
  /** At this available credit the registry reports a low balance; PERCENT is of the credit limit. */
  readonly threshold: { readonly type: 'FIXED' | 'PERCENT'; readonly value: DecimalText };
};
