import { getHeapStatistics } from 'node:v8';
import type { Waits } from '@namehold/postgres';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Config } from '../config.ts';

/** What may grow without an end: the wait for a turn of this thread, the waits for a database connection to read and to write, memory. */
export const overloadReasons = ['turn', 'reading', 'writing', 'memory'] as const;
export type OverloadReason = (typeof overloadReasons)[number];

export interface Load {
  /** Each as a share of its limit; from 1 on it is too much. */
  shares(): Readonly<Record<OverloadReason, number>>;
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
  readonly #databaseWaitsMs: () => Waits;
  readonly #tickDelays: number[] = [];
  readonly #lends = { reading: [] as number[], writing: [] as number[] };
  readonly #timer: NodeJS.Timeout | undefined;
  #dueAt = performance.now() + sampleMs;
  #memoryBytes = 0;

  constructor(config: Pick<Config, 'shedWaitMs' | 'shedMemoryMb'>, databaseWaitsMs: () => Waits) {
    this.#limits = { waitMs: config.shedWaitMs, memoryBytes: config.shedMemoryMb * mib };
    this.#databaseWaitsMs = databaseWaitsMs;
    if (config.shedWaitMs > 0 || config.shedMemoryMb > 0)
      this.#timer = setInterval(() => this.#sample(), sampleMs).unref();
  }

  #sample(): void {
    const now = performance.now();
    keep(this.#tickDelays, Math.max(0, now - this.#dueAt));
    const { reading, writing } = this.#databaseWaitsMs();
    keep(this.#lends.reading, reading);
    keep(this.#lends.writing, writing);
    this.#dueAt = now + sampleMs;
    // `process.memoryUsage` would ask the system for more, which takes seven times as long.
    const { used_heap_size, external_memory } = getHeapStatistics();
    this.#memoryBytes = used_heap_size + external_memory;
  }

  shares(): Record<OverloadReason, number> {
    const { waitMs, memoryBytes } = this.#limits;
    const waited = (list: readonly number[]) => (list.length < samples ? 0 : Math.min(...list));
    const share = (figure: number, limit: number) => (limit === 0 ? 0 : figure / limit);
    return {
      turn: share(waited(this.#tickDelays), waitMs),
      reading: share(waited(this.#lends.reading), waitMs),
      writing: share(waited(this.#lends.writing), waitMs),
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
    help: 'Wait for a turn, waits for a database connection to read and to write, and memory, as a share of what is shed at',
    labelNames: ['of'],
    registers: [registry],
    collect() {
      const shares = load.shares();
      for (const strain of overloadReasons) this.labels(strain).set(shares[strain]);
    },
  });
}
