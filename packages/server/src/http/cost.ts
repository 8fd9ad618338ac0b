import type { Fields } from './input.ts';
import type { Route } from './route.ts';

/** Rows per page that cost one unit. */
const rowsPerUnit = 20;

/** Units of work that a call draws from the budget of its account, in addition to one request. Usually zero. */
export function costOf(definition: Route, input: Fields): number {
  const { cost } = definition;
  if (cost !== undefined) return typeof cost === 'number' ? cost : cost(input as never);
  if (!definition.isList) return 0;
  return Math.ceil((typeof input.limit === 'number' ? input.limit : rowsPerUnit) / rowsPerUnit);
}
