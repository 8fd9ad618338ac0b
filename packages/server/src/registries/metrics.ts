import { Counter, Histogram, type Registry as MetricRegistry } from '@prometheus-io/client';

export interface RegistryMetrics {
  observe(registryId: string, verb: string, result: number | string, seconds: number): void;
  countOrphanedContact(registryId: string): void;
}

export function createRegistryMetrics(register: MetricRegistry): RegistryMetrics {
  const duration = new Histogram({
    name: 'namehold_registry_command_seconds',
    help: 'Time from queueing a command to its answer',
    labelNames: ['registry', 'verb'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 60],
    registers: [register],
  });
  const results = new Counter({
    name: 'namehold_registry_results_total',
    help: 'Results of registry commands, by EPP result code, or unsent or unknown',
    labelNames: ['registry', 'verb', 'result'],
    registers: [register],
  });
  const orphans = new Counter({
    name: 'namehold_registry_contact_orphans_total',
    help: 'Contact creates without a response at registries that assign contact ids: each can leave an unused contact',
    labelNames: ['registry'],
    registers: [register],
  });
  return {
    countOrphanedContact: (registryId) => orphans.labels(registryId).inc(),
    observe(registryId, verb, result, seconds) {
      duration.labels(registryId, verb).observe(seconds);
      results.labels(registryId, verb, String(result)).inc();
    },
  };
}
