import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { AnswerThreads } from './threads.ts';

interface Counted {
  readonly counts: readonly (readonly [string, number])[];
}

/** Counters of the threads, collected at each scrape. */
export function registerAnswerMetrics(registry: Registry, threads: AnswerThreads, zoneCount: () => number): void {
  const registers = [registry];
  const seen = new Map<string, number>();
  new Counter({
    name: 'namehold_dns_answers_total',
    help: 'Answers of the embedded nameserver, by transport and rcode',
    labelNames: ['transport', 'rcode'],
    registers,
    async collect() {
      const now = new Map<string, number>();
      for (const { counts } of (await threads.notify({ kind: 'count' })) as Counted[])
        for (const [key, count] of counts) now.set(key, (now.get(key) ?? 0) + count);
      for (const [key, count] of now) {
        const [transport = '', rcode = ''] = key.split(' ');
        this.labels(transport, rcode).inc(count - (seen.get(key) ?? 0));
        seen.set(key, count);
      }
    },
  });
  new Gauge({
    name: 'namehold_dns_zones',
    help: 'Zones in memory of the embedded nameserver',
    registers,
    collect() {
      this.set(zoneCount());
    },
  });
}
