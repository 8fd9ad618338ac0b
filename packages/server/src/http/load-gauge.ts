import { getHeapStatistics } from 'node:v8';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Config } from '../config.ts';

/** What may grow without an end: the wait for a turn of this thread, the wait for a database connection, memory. */
export const strains = ['turn', 'database', 'memory'] as const;
export type Strain = (typeof strains)[number];

export interface Load {
  /** Each as a share of its limit; from 1 on it is too much. */
  shares(): Readonly<Record<Strain, number>>;
}

const sampleMs = 100;
const samples = 10;
const mib = 1_048_576;

/**
 * Measures how long a request would wait. One slow turn is no overload, and neither is a machine that is busy with other things for a
 * moment: what counts is the shortest wait of the last second, a queue that never became empty.
 */
export class LoadGauge implements Load {
  readonly #limits: { readonly waitMs: number; readonly memoryBytes: number };
  readonly #databaseWaitMs: () => number;
  readonly #turns: number[] = [];
  readonly #lends: number[] = [];
  readonly #timer: NodeJS.Timeout | undefined;
  #dueAt = performance.now() + sampleMs;
  #memoryBytes = 0;

  constructor(config: Pick<Config, 'shedWaitMs' | 'shedMemoryMb'>, databaseWaitMs: () => number) {
    this.#limits = { waitMs: config.shedWaitMs, memoryBytes: config.shedMemoryMb * mib };
    this.#databaseWaitMs = databaseWaitMs;
    if (config.shedWaitMs > 0 || config.shedMemoryMb > 0)
      this.#timer = setInterval(() => this.#sample(), sampleMs).unref();
  }

  #sample(): void {
    const now = performance.now();
    keep(this.#turns, Math.max(0, now - this.#dueAt));
    keep(this.#lends, this.#databaseWaitMs());
    this.#dueAt = now + sampleMs;
    // `process.memoryUsage` would ask the system for more, which takes seven times as long.
    const { used_heap_size, external_memory } = getHeapStatistics();
    this.#memoryBytes = used_heap_size + external_memory;
  }

  shares(): Record<Strain, number> {
    const { waitMs, memoryBytes } = this.#limits;
    const waited = (list: readonly number[]) => (list.length < samples ? 0 : Math.min(...list));
    const share = (figure: number, limit: number) => (limit === 0 ? 0 : figure / limit);
    return {
      turn: share(waited(this.#turns), waitMs),
      database: share(waited(this.#lends), waitMs),
      memory: share(this.#memoryBytes, memoryBytes),
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function keep(list: number[], value: number): void {
  list.push(value);
  if (list.length > samples) list.shift();
}

export function registerLoad(registry: Registry, load: Load): void {
  new Gauge({
    name: 'namehold_load_share',
    help: 'Wait for a turn, wait for a database connection, and memory, as a share of what is shed at',
    labelNames: ['of'],
    registers: [registry],
    collect() {
      const shares = load.shares();
      for (const strain of strains) this.labels(strain).set(shares[strain]);
    },
  });
}
