/** A refusal, in one of the two forms of LogicBoxes. */
export class Refused extends Error {
  /** `ERROR` with `message`, or `error` with `error`. */
  readonly form: 'ERROR' | 'error';

  constructor(message: string, form: 'ERROR' | 'error' = 'ERROR') {
    super(message);
    this.form = form;
  }
}

/** Parameters of a call. A list repeats its key. */
export class Parameters {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(pairs: readonly (readonly [string, string])[]) {
    const values = Map.groupBy(pairs, ([key]) => key);
    this.#values = new Map([...values].map(([key, each]) => [key, each.map(([, value]) => value)]));
  }

  get keys(): string[] {
    return [...this.#values.keys()];
  }

  list(key: string): readonly string[] {
    return this.#values.get(key) ?? [];
  }

  optional(key: string): string | undefined {
    return this.#values.get(key)?.[0];
  }

  text(key: string): string {
    const value = this.optional(key);
    if (value === undefined || value === '') throw new Refused(`Required parameter missing: ${key}`);
    return value;
  }

  name(key = 'domain-name'): string {
    return this.text(key).toLowerCase();
  }

  number(key: string): number {
    const value = this.text(key);
    if (!/^-?\d{1,12}$/.test(value)) throw new Refused(`Invalid value for ${key}`);
    return Number(value);
  }

  flag(key: string): boolean {
    const value = this.text(key).toLowerCase();
    if (value !== 'true' && value !== 'false') throw new Refused(`Invalid value for ${key}`);
    return value === 'true';
  }

  /** `attr-name1` and `attr-value1`, and so on. */
  attributes(): Record<string, string> {
    const names = this.keys.flatMap((key) => /^attr-name(\d+)$/.exec(key)?.[1] ?? []);
    return Object.fromEntries(
      names.map((number) => [this.text(`attr-name${number}`), this.optional(`attr-value${number}`) ?? '']),
    );
  }
}

const secretKeys = new Set(['api-key', 'auth-password', 'auth-code', 'passwd']);

/** The parameters in a fixed order, without secrets. */
export function masked(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map(([key, value]) => `${key}=${secretKeys.has(key) ? '***' : value}`)
    .sort()
    .join('&');
}
