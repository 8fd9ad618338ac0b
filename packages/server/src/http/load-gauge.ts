import { getHeapStatistics } from 'node:v8';
import type { Waits } from '@namehold/postgres';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Config } from '../config.ts';

/** Overload reasons: event-loop delay (`turn`), waits for a database connection to read or write, memory. Metrics have them as labels. */
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
 * Measures how long a request would wait. One slow tick is no overload, and neither is a short
 * load of the machine by other programs. It reports the shortest wait of the last second: a queue that never became empty.
 */
export class LoadGauge implements Load {
  readonly #limits: { readonly waitMs: number; readonly memoryBytes: number };
  readonly #databaseWaitsMs: () => Waits;
  readonly #tickDelays: number[] = [];
  readonly #connectionWaits = { reading: [] as number[], writing: [] as number[] };
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
    keep(this.#connectionWaits.reading, reading);
    keep(this.#connectionWaits.writing, writing);
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
      reading: share(waited(this.#connectionWaits.reading), waitMs),
      writing: share(waited(this.#connectionWaits.writing), waitMs),
      memory: share(this.#memoryBytes, memoryBytes),
    };
  }

  stop(): void {
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
    help: 'Event-loop delay (turn), waits for a database connection to read or write, and memory, as a share of the limit',
    labelNames: ['of'],
    registers: [registry],
    collect() {
      const shares = load.shares();
      for (const reason of overloadReasons) this.labels(reason).set(shares[reason]);
    },
  });
}
