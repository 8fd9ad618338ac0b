import { exponentOf, type Money } from '@namehold/base';

/** One unit of the base currency costs `scaled` / 10^12 units of the quote currency; the margin is added. */
export interface ExchangeRate {
  readonly scaled: bigint;
  readonly marginBasisPoints: number;
}

export const rateDigits = 12;
const rateScale = 10n ** BigInt(rateDigits);
const wholeBasisPoints = 10_000n;

/** Rounded half-up, once: 500.00 EUR at 1.08 with a margin of 2.5 % is 553.50 USD. */
export function exchange({ amount, currency }: Money, quote: string, rate: ExchangeRate): Money {
  const shift = exponentOf(quote) - exponentOf(currency);
  const product =
    amount * rate.scaled * (wholeBasisPoints + BigInt(rate.marginBasisPoints)) * 10n ** BigInt(Math.max(shift, 0));
  const divisor = rateScale * wholeBasisPoints * 10n ** BigInt(Math.max(-shift, 0));
  const half = product < 0n ? -(divisor / 2n) : divisor / 2n;
  return { amount: (product + half) / divisor, currency: quote };
}
