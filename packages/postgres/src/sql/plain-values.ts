import type { Sql } from './sql.ts';

const isPlain = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  value instanceof Date ||
  (Array.isArray(value) && value.every(isPlain));

/**
 * Values that the driver can encode without an error. If encoding failed, the commit sent behind the statement would keep everything
 * except that statement.
 */
export function requirePlainValues(statement: Sql): Sql {
  if (!statement.values.every(isPlain)) throw new TypeError(`not a plain value in: ${statement.text.slice(0, 80)}`);
  return statement;
}
