import { randomFrom } from './random.ts';

/** Faults of the connection and of the answer, which are the same at every upstream. */
const wireFaults = [
  /** The connection is closed, and nothing was carried out. */
  'lost_before',
  /** Carried out; the connection is closed without an answer. */
  'lost_after',
  /** Carried out; the answer ends in the middle. */
  'cut',
  /** Carried out; answered late, or when `release()` is called. */
  'delayed',
  /** Carried out twice; the second answer is sent. */
  'doubled',
  /** HTTP 500 without a body of the protocol; not carried out. */
  'error_before',
  /** HTTP 500 without a body of the protocol; carried out. */
  'error_after',
  /** Not carried out; the upstream's own form of a refusal. */
  'refused',
  /** Not carried out; an HTML page with status 200. */
  'maintenance',
  /** Carried out; numbers of the answer are texts. */
  'numbers_as_text',
  /** Carried out; the fields of the rule are absent from the answer. */
  'missing_fields',
] as const;

/** Faults of the work itself, which each upstream shows in its own words. */
export const workFaults = [
  /** The order is kept, and not yet sent to the registry. */
  'saved',
  /** The upstream does not know whether the registry carried out the order. */
  'in_doubt',
  /** Accepted, and failed later. */
  'fails_later',
  /** The answer shows the state before the last change. */
  'stale',
] as const;

export type FaultKind = (typeof wireFaults)[number] | (typeof workFaults)[number];

export interface FaultRule {
  readonly kind: FaultKind;
  /** The calls that it applies to; all if absent. */
  readonly call?: string | RegExp;
  readonly domain?: string;
  /** How many calls it applies to: 1 if absent. */
  readonly times?: number;
  /** How many matching calls it leaves out first. */
  readonly skip?: number;
  /** Of a delayed answer. Absent: until `release()`. */
  readonly delayMs?: number;
  readonly message?: string;
  /** Of `missing_fields`. */
  readonly fields?: readonly string[];
}

interface RandomFaults {
  readonly seed: number;
  /** The share of calls, 0 to 1. */
  readonly rate: number;
  readonly kinds: readonly FaultKind[];
  readonly call?: RegExp;
}

/** Which fault applies to which call. The same rules, seed and calls give the same faults. */
export class Faults {
  readonly #rules: { rule: FaultRule; skip: number; left: number }[] = [];
  #random: { readonly of: RandomFaults; readonly next: () => number } | undefined;
  #held: (() => void)[] = [];
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  /** How often each kind was applied. */
  readonly applied = new Map<FaultKind, number>();

  add(rule: FaultRule): void {
    this.#rules.push({ rule, skip: rule.skip ?? 0, left: rule.times ?? 1 });
  }

  random(of: RandomFaults): void {
    this.#random = { of, next: randomFrom(of.seed) };
  }

  clear(): void {
    this.#rules.length = 0;
    this.#random = undefined;
    this.release();
  }

  choose(call: string, domain: string): FaultRule | undefined {
    const rule = this.#fromRules(call, domain) ?? this.#fromRandom(call);
    if (rule) this.applied.set(rule.kind, (this.applied.get(rule.kind) ?? 0) + 1);
    return rule;
  }

  /** Waits until the delay of the rule is over, or until `release()`. */
  async delay({ delayMs }: FaultRule): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#held.push(resolve);
      if (delayMs !== undefined) setTimeout(resolve, delayMs).unref();
      this.#waiting = this.#waiting.filter(({ count, resolve: reached }) => {
        if (this.#held.length < count) return true;
        reached();
        return false;
      });
    });
  }

  /** Resolves when so many answers are held. */
  async untilHeld(count = 1): Promise<void> {
    if (this.#held.length >= count) return;
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** Sends the answers that are held. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const send of held) send();
  }

  #fromRules(call: string, domain: string): FaultRule | undefined {
    for (const each of this.#rules) {
      const { rule } = each;
      if (each.left <= 0 || (rule.domain !== undefined && rule.domain !== domain) || !matches(rule.call, call))
        continue;
      if (each.skip > 0) {
        each.skip -= 1;
        continue;
      }
      each.left -= 1;
      return rule;
    }
    return undefined;
  }

  #fromRandom(call: string): FaultRule | undefined {
    if (!this.#random || !matches(this.#random.of.call, call)) return undefined;
    const { of, next } = this.#random;
    const isHit = next() < of.rate;
    const kind = of.kinds[Math.floor(next() * of.kinds.length)]!;
    return isHit ? { kind, delayMs: 20 } : undefined;
  }
}

function matches(wanted: string | RegExp | undefined, call: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === call : wanted.test(call);
}
