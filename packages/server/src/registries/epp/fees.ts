import { isCurrency } from '@namehold/base';
import { EppReadError, type FeeCheckItem, type FeePrice, type FeeTransformAnswer } from '@namehold/epp';
import type { Availability, RegistryFee } from '../../core/ports/registry.ts';

const places = 6;
const amountOf = (text: string): bigint => {
  const [, sign, whole, part = ''] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text.trim()) ?? [undefined, '', '0'];
  const units = BigInt(whole + part.slice(0, places).padEnd(places, '0'));
  return sign === '-' ? -units : units;
};

/** RFC 8748 3.4: an answer may have several fees and negative credits. The price is their sum. */
function sumOf({ fees, credits }: Pick<FeePrice, 'fees' | 'credits'>): string | undefined {
  if (fees.length === 0) return undefined;
  const sum = [...fees, ...credits].reduce((total, { amount }) => total + amountOf(amount), 0n);
  const text = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
  const cents = text.slice(-places).replace(/0{1,4}$/, '');
  return `${sum < 0n ? '-' : ''}${text.slice(0, -places)}.${cents}`;
}

const commands = ['create', 'renew', 'restore', 'transfer'] as const;

/** The registry's price of a domain, and whether the registry reports it as its standard price. */
export function feesOf(item: FeeCheckItem | undefined, currency: string | undefined): Partial<Availability> {
  if (!item || currency === undefined) return {};
  // An error, because without a price the domain would be sold at list price.
  if (!isCurrency(currency)) throw new EppReadError('shape', `prices in ${currency}, which is not a currency`, 'fee');
  const fees: Partial<Record<`${(typeof commands)[number]}Fee`, RegistryFee>> = {};
  const standard: NonNullable<Availability['standard']> = {};
  for (const command of commands) {
    const price = item.prices.find(({ name }) => name === command);
    const amount = price && sumOf(price);
    if (amount !== undefined) fees[`${command}Fee`] = { amount, currency };
    const isStandard = price?.standard ?? (item.class === undefined ? undefined : item.class === 'standard');
    if (isStandard !== undefined) standard[command] = isStandard;
  }
  const isPremium = item.class !== undefined && item.class !== 'standard';
  return { ...(isPremium ? { premiumClass: item.class } : {}), ...fees, standard };
}

/** The amount charged for a command, if the answer contains it. */
export function chargedBy(answer: FeeTransformAnswer | undefined): RegistryFee | undefined {
  const amount = answer && sumOf(answer);
  if (amount === undefined || answer?.currency === undefined) return undefined;
  return { amount, currency: answer.currency };
}
