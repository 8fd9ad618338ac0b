/** The expected form of a value. Objects may have further keys; the listed ones are required. */
export type Shape =
  | 'text'
  | 'text or null'
  | 'id'
  | 'time'
  | 'time or null'
  | 'money'
  | 'number'
  | 'boolean'
  | 'true'
  | '"true" or "false"'
  | '"0" or "1"'
  | 'anything'
  | { readonly keys: Readonly<Record<string, Shape>> }
  | { readonly listOf: Shape }
  | { readonly mapOf: Shape }
  | { readonly nullOr: Shape };

const isText = (value: unknown): value is string => typeof value === 'string';

const kinds: Record<Extract<Shape, string>, (value: unknown) => boolean> = {
  text: isText,
  'text or null': (value) => value === null || isText(value),
  id: (value) => isText(value) && /^\d{1,18}$/.test(value),
  time: (value) => isText(value) && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value),
  'time or null': (value) => value === null || kinds.time(value),
  money: (value) => isText(value) && /^-?\d+(\.\d+)?$/.test(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  '"true" or "false"': (value) => value === 'true' || value === 'false',
  '"0" or "1"': (value) => value === '0' || value === '1',
  anything: () => true,
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All mismatches, each with its place. */
export function misfits(value: unknown, shape: Shape, place = 'body'): string[] {
  if (typeof shape === 'string') {
    return kinds[shape](value) ? [] : [`${place} is ${JSON.stringify(value)?.slice(0, 80)}, not ${shape}`];
  }
  if ('nullOr' in shape) return value === null ? [] : misfits(value, shape.nullOr, place);
  if ('listOf' in shape) {
    if (!Array.isArray(value)) return [`${place} is not a list`];
    if (value.length === 0) return [`${place} is empty, so its rows cannot be checked`];
    return value.flatMap((item, index) => misfits(item, shape.listOf, `${place}[${index}]`));
  }
  if (!isRecord(value)) return [`${place} is not an object`];
  if ('mapOf' in shape) {
    return Object.entries(value).flatMap(([key, item]) => misfits(item, shape.mapOf, `${place}.${key}`));
  }
  return Object.entries(shape.keys).flatMap(([key, wanted]) =>
    Object.hasOwn(value, key) ? misfits(value[key], wanted, `${place}.${key}`) : [`${place} has no ${key}`],
  );
}

export const listOf = (shape: Shape): Shape => ({ listOf: shape });
export const mapOf = (shape: Shape): Shape => ({ mapOf: shape });
export const nullOr = (shape: Shape): Shape => ({ nullOr: shape });
export const keys = (named: Readonly<Record<string, Shape>>): Shape => ({ keys: named });

/** Several keys of one kind. */
export function each(names: string, shape: Shape): Record<string, Shape> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, shape]),
  );
}
