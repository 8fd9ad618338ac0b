import { type Answer, type Asked, badField, type Fields, type State } from './state.ts';

/** Parameters that every list has. */
const general = ['fields', 'q', 'limit', 'offset', 'order', 'total', 'export', 'no-total'];
const mostRows = 1_000;

type Value = string | number | boolean;

const operators: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  in: (value, wanted) => wanted.split(',').includes(value),
  not_in: (value, wanted) => !wanted.split(',').includes(value),
  gt: (value, wanted) => value > wanted,
  gte: (value, wanted) => value >= wanted,
  lt: (value, wanted) => value < wanted,
  lte: (value, wanted) => value <= wanted,
  like: (value, wanted) => new RegExp(`^${wanted.split('%').map(RegExp.escape).join('.*')}$`).test(value),
};

const valuesOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((each: Value) => String(each));

/** A page of entities, by the page about listings: `field:operator=value`, limit and offset. */
export function listed(
  state: State,
  { query }: Asked,
  entities: readonly Fields[],
  filters: readonly string[],
): Answer {
  const conditions = [...query].filter(([key]) => !general.includes(key));
  let found = entities;
  for (const [key, wanted] of conditions) {
    const [field = '', operator = 'eq'] = key.split(':');
    const test = operators[operator];
    const isKnown = filters.includes(field) && test !== undefined;
    if (!isKnown && state.settings.form === 'strict') throw badField(key, 'Unknown filter');
    if (isKnown) found = found.filter((entity) => valuesOf(entity[field]).some((value) => test(value, wanted)));
  }
  const [limit, offset] = [numberOf(query, 'limit', 10), numberOf(query, 'offset', 0)];
  if (limit > mostRows) throw badField('limit', `Must be at most ${mostRows}`);
  const wanted = query.get('fields')?.split(',');
  const shown = found.slice(offset, offset + limit).map((entity) => (wanted ? only(entity, wanted) : entity));
  return { status: 200, body: { entities: shown, pagination: { limit, offset, total: found.length } } };
}

function numberOf(query: URLSearchParams, key: string, otherwise: number): number {
  const text = query.get(key) ?? String(otherwise);
  if (!/^\d{1,9}$/.test(text)) throw badField(key, 'Must be a number');
  return Number(text);
}

const only = (entity: Fields, wanted: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(entity).filter(([key]) => wanted.includes(key)));
