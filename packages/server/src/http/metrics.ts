import type { Server } from 'node:http';
import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client';
import type { ShedReason } from './load-gate.ts';

export interface HttpMetrics {
  observe(method: string, path: string, status: number, seconds: number): void;
  shed(reason: ShedReason): void;
}

export interface Metrics extends HttpMetrics {
  readonly registry: Registry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectProcessMetrics(registry);
  const duration = new Histogram({
    name: 'namehold_http_request_seconds',
    help: 'Time to answer a request, by operation',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [registry],
  });
  const refused = new Counter({
    name: 'namehold_http_errors_total',
    help: 'Answers of 500 and above',
    labelNames: ['path'],
    registers: [registry],
  });
  const shed = new Counter({
    name: 'namehold_http_shed_total',
    help: 'Requests turned away before anything was begun, by what there was too much of',
    labelNames: ['reason'],
    registers: [registry],
  });
  return {
    registry,
    shed: (reason) => shed.labels(reason).inc(),
    observe(method, path, status, seconds) {
      duration.labels(method, path, String(status)).observe(seconds);
      if (status >= 500) refused.labels(path).inc();
    },
  };
}

/** 25 days: in practice never. */
const neverMs = 2 ** 31 - 1;

/**
 * Memory, processor time, files, garbage collection and event-loop lag. Event-loop utilisation is disabled: after a long pause the library
 * records every missed interval at once and blocks the process for seconds.
 */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: neverMs });
  for (const name of ['nodejs_eventloop_utilization_summary', 'nodejs_eventloop_utilization_histogram'])
    registry.removeSingleMetric(name);
}

/** Listens on a separate address, so that metrics are never public. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<Server> {
  // Loaded here: the nameserver needs no other HTTP server, and loading the module takes 10 ms of its start.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) =>
        response
          .writeHead(200, { 'Content-Type': registry.contentType, 'X-Content-Type-Options': 'nosniff' })
          .end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}
