import { formatMoney, MoneyError, money, parseMoney } from '@namehold/base';
import { badField, Refusal } from '../errors.ts';
import type { Invoice } from '../model/invoice.ts';

export interface CreditOrder {
  /** Decimal; default: the remaining amount. */
  readonly amount?: string | undefined;
  readonly reason: string;
  /** The document was wrong, not the sale: no money moves, and a correct one is issued. */
  readonly reissue?: boolean | undefined;
}

export interface Credited {
  readonly note: Invoice;
  readonly reissued: Invoice | null;
}

/** Checks that do not depend on the state of the document. */
export function checkOrder({ amount, reissue }: CreditOrder, currency: string): void {
  if (amount === undefined) return;
  if (reissue)
    throw badField(
      'amount',
      'An amount is only for a partial credit. An invoice that is reissued is credited in full.',
    );
  if (readAmount(amount, currency) <= 0n) throw badField('amount', 'Must be more than zero.');
}

/** The amount to credit; refused if it is more than what is left. */
export function leftOf({ amount }: CreditOrder, invoice: Invoice): bigint {
  const { currency } = invoice;
  const left = BigInt(invoice.total) - BigInt(invoice.credited);
  if (left === 0n)
    throw new Refusal('conflict', `${invoice.number} is already credited.`, { facts: { state: invoice.state } });
  const wanted = amount === undefined ? left : readAmount(amount, currency);
  if (wanted <= left) return wanted;
  throw badField(
    'amount',
    `Must not be more than the remaining amount, ${formatMoney(money(left, currency))} ${currency}.`,
  );
}

function readAmount(text: string, currency: string): bigint {
  try {
    return parseMoney(text, currency).amount;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw badField('amount', error.message);
  }
}
