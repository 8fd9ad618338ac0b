/** Reads untyped JSON: a field with an unexpected type counts as absent. */
export type Fields = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Numbers too, because some upstreams send ids as numbers. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The contract has flags as booleans, as "true" and "false", and as "1" and "0". */
export const flagOf = (value: unknown): boolean => value === true || value === 1 || value === 'true' || value === '1';

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list. */
export const objectsOf = (value: unknown): Fields[] =>
  listOf(value).flatMap((each) => {
    const object = objectOf(each);
    return object ? [object] : [];
  });

const bareTime = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?$/;

/** `YYYY-MM-DD HH:MM:SS` without a zone, as in the contract, or an instant of our own API. */
export function timeOf(value: unknown, utcOffset: string): Date | null {
  const text = textOf(value);
  if (text === undefined) return null;
  const bare = bareTime.exec(text);
  const read = new Date(bare ? `${bare[1]}T${bare[2] ?? '00:00:00'}${utcOffset}` : text);
  return Number.isNaN(read.getTime()) ? null : read;
}

/** Amounts are JSON numbers in several APIs. */
export const decimal = (amount: number): string => amount.toFixed(4).replace(/\.?0+$/, '');
