import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { RuleCache } from './rule-cache.ts';
import type { WebMetrics } from './web-server.ts';

/** Counters of every response. */
export function watchOf(metrics: Registry, cache: RuleCache, isComplete: () => boolean): WebMetrics {
  const registers = [metrics];
  const answers = new Counter({
    name: 'namehold_edge_answers_total',
    help: 'Web requests answered by the edge',
    labelNames: ['status'],
    registers,
  });
  const byStatus = new Map<number, { inc(): void }>();
  const counterOf = (status: number) => {
    const made = answers.labels(String(status));
    byStatus.set(status, made);
    return made;
  };
  new Gauge({
    name: 'namehold_edge_names',
    help: 'Domains with rules in the edge',
    registers,
    collect() {
      this.set(cache.size);
    },
  });
  return {
    isComplete,
    answered(status) {
      (byStatus.get(status) ?? counterOf(status)).inc();
    },
  };
}
