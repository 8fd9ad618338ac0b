import { MoneyError, parseMoney } from '@namehold/base';
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
