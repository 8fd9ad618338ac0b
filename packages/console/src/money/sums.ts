/** Digits after the decimal point. */
export const placesOf = (amount: string): number => (amount.split('.')[1] ?? '').length;

/** Decimal text in the smallest unit, so that amounts are never floats. */
export function wholeOf(amount: string, places: number): bigint {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(places, '0').slice(0, places));
}

export function textOf(sum: bigint, places: number): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return `${sum < 0n ? '-' : ''}${text}`;
}
