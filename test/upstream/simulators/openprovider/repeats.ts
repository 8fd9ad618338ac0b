import type { OpenproviderSettings } from './settings.ts';

type Kind = keyof OpenproviderSettings['repeats'];

/** The limits of identical requests, which have other rules than those of the server (article 218390187). */
export class Repeats {
  readonly #times = new Map<string, number[]>();
  readonly #settings: OpenproviderSettings['repeats'];
  readonly #now: () => number;
  /** The largest number of identical requests within the period of its kind. */
  readonly most: Record<Kind, number> = { query: 0, check: 0, create: 0, login: 0, badLogin: 0 };

  constructor(settings: OpenproviderSettings['repeats'], now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  get now(): number {
    return this.#now();
  }

  /** Counts the request. False: it is one too many. */
  take(kind: Kind, identity: string): boolean {
    const [most, seconds] = this.#settings[kind];
    const key = `${kind} ${identity}`;
    const now = this.#now();
    const times = [...(this.#times.get(key) ?? []), now].filter((at) => now - at < seconds * 1_000);
    this.#times.set(key, times);
    this.most[kind] = Math.max(this.most[kind], times.length);
    return times.length <= most;
  }
}
