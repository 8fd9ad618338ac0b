import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

export interface NameserverMetrics {
  transferred(kind: string): void;
  notified(outcome: 'answered' | 'unanswered'): void;
  published(nameserverId: string, lagSeconds: number): void;
  behind(nameserverId: string, zones: number): void;
  discard(nameserverId: string): void;
}

export function createNameserverMetrics(register: Registry): NameserverMetrics {
  const registers = [register];
  const transfers = new Counter({
    name: 'namehold_dns_transfers_total',
    help: 'Requests to the hidden primary, by kind',
    labelNames: ['kind'],
    registers,
  });
  const notifies = new Counter({
    name: 'namehold_dns_notifies_total',
    help: 'DNS NOTIFY messages sent, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'namehold_nameserver_lag_seconds',
    help: 'Time from a change to the first query that found it',
    labelNames: ['nameserver'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300],
    registers,
  });
  const behind = new Gauge({
    name: 'namehold_nameserver_zones_behind',
    help: 'Zones for which a nameserver lacks the last change',
    labelNames: ['nameserver'],
    registers,
  });
  return {
    transferred: (kind) => transfers.labels(kind).inc(),
    notified: (outcome) => notifies.labels(outcome).inc(),
    published: (nameserverId, lagSeconds) => lag.labels(nameserverId).observe(lagSeconds),
    behind: (nameserverId, zones) => behind.labels(nameserverId).set(zones),
    discard(nameserverId) {
      behind.remove(nameserverId);
      lag.remove(nameserverId);
    },
  };
}
