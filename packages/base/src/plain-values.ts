import type { Sql } from './sql.ts';

const isPlain = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  value instanceof Date ||
  (Array.isArray(value) && value.every(isPlain));

/** What the driver writes without fail. Were it to stumble over a value, the commit that leaves behind the statement would keep everything but that. */
export function requirePlainValues(statement: Sql): Sql {
  if (!statement.values.every(isPlain)) throw new TypeError(`not plain: a value of ${statement.text.slice(0, 80)}`);
  return statement;
}
