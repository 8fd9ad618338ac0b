import { exponentOf, isCurrency, MoneyError, parseMoney } from '@namehold/base';
import { badField } from '../errors.ts';

/** An amount of a request in minor units; without one undefined. */
export function minorUnits(field: string, text: string | undefined, currency: string): bigint | undefined {
  if (text === undefined) return undefined;
  try {
    return parseMoney(text, currency).amount;
  } catch (error) {
    if (error instanceof MoneyError) throw badField(field, error.message);
    throw error;
  }
}

interface Currency {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

/** Made on first use, like the countries. */
let names: Intl.DisplayNames | undefined;

/** By ISO 4217 code in any case; the contract calls the code the symbol. */
export function findCurrency(text: string): Currency | undefined {
  const symbol = text.trim().toUpperCase();
  if (!isCurrency(symbol)) return undefined;
  names ??= new Intl.DisplayNames(['en'], { type: 'currency' });
  return { symbol, name: names.of(symbol) ?? symbol, decimals: exponentOf(symbol) };
}

export function listCurrencies(): Currency[] {
  return Intl.supportedValuesOf('currency').map((symbol) => findCurrency(symbol)!);
}
