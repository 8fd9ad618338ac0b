import { type FaultSpec, faultKinds } from './fault.ts';

export class FaultError extends Error {
  override name = 'FaultError';
}

type Fields = Readonly<Record<string, unknown>>;

const known = new Set(
  'kind rate seed commands client name after limit ms bytes when how sessions until zone mark'.split(' '),
);

/** Reads a fault rule from JSON. Unknown words and numbers out of range are refused. */
export function readFault(body: unknown): FaultSpec {
  if (typeof body !== 'object' || body === null) throw new FaultError('a fault must be an object');
  const fields = body as Fields;
  for (const name of Object.keys(fields)) if (!known.has(name)) throw new FaultError(`unknown field ${name}`);
  const kind = faultKinds.find((each) => each === String(fields.kind));
  if (kind === undefined) throw new FaultError(`kind must be one of ${faultKinds.join(', ')}`);
  const commands = fields.commands === undefined ? undefined : texts(fields.commands);
  return {
    kind,
    rate: number(fields, 'rate', 0, 1) ?? 1,
    seed: number(fields, 'seed', 0, 0xffff_ffff) ?? 1,
    ...defined({
      commands,
      client: text(fields, 'client'),
      name: text(fields, 'name')?.toLowerCase(),
      after: text(fields, 'after'),
      limit: number(fields, 'limit', 0, Number.MAX_SAFE_INTEGER),
      ms: number(fields, 'ms', 0, 3_600_000),
      bytes: number(fields, 'bytes', 0, 1_000_000),
      sessions: number(fields, 'sessions', 0, 1_000_000),
      when: oneOf(fields, 'when', ['before', 'after', 'either'] as const),
      until: oneOf(fields, 'until', ['time', 'question', 'command'] as const),
      zone: zone(fields),
      mark: oneOf(fields, 'mark', ['offset', 'none', 'Z'] as const),
      how: oneOf(fields, 'how', ['silent', 'close'] as const),
    }),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;

function number(fields: Fields, name: string, min: number, max: number): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw new FaultError(`${name} must be a number from ${min} to ${max}`);
  }
  return value;
}

function text(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value !== undefined && typeof value !== 'string') throw new FaultError(`${name} must be text`);
  return value;
}

function zone(fields: Fields): string | undefined {
  const value = text(fields, 'zone');
  if (value !== undefined && !/^[+-](0\d|1[0-4]):[0-5]\d$/.test(value)) {
    throw new FaultError('zone must be like "+07:00"');
  }
  return value;
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
    throw new FaultError('commands must be a list such as ["domain:create", "renew"]');
  }
  return value as string[];
}

function oneOf<W extends string>(fields: Fields, name: string, values: readonly W[]): W | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  const found = values.find((each) => each === value);
  if (found === undefined) throw new FaultError(`${name} must be ${values.join(' or ')}`);
  return found;
}
