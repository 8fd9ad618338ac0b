import { join } from 'node:path';
import type { Vault } from '@namehold/base';
import { onTerminationSignal, startWatchdog } from '@namehold/base';
import { Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { runEdge } from './edge/run.ts';
import type { EdgeSettings } from './edge/settings.ts';
import { collectProcessMetrics, serveMetrics } from './http/metrics.ts';

/** Limits the stop if the database does not answer. */
const stopLimitMs = 5_000;

/** Runs `namehold edge` until a termination signal. */
export async function serveEdge(
  settings: EdgeSettings,
  config: Config,
  logger: Logger,
  vault: Pick<Vault, 'open'> | undefined,
): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  onTerminationSignal(end);
  // An unexpected error in a request must not end the process.
  process.on('uncaughtException', (error) => logger.error({ err: error }, 'unexpected error in the edge'));
  startWatchdog({ limitMs: config.eventLoopLimitMs });
  const metrics = new Registry();
  collectProcessMetrics(metrics);
  const running = await runEdge(settings, {
    log: logger,
    metrics,
    vault,
    copyFile: join(config.dataDir, 'edge', 'rules'),
  });
  const metricsServer =
    config.redirectMetricsPort === undefined
      ? undefined
      : await serveMetrics(metrics, config.metricsHost, config.redirectMetricsPort);
  const secure = running.tlsPort === undefined ? '' : `, and HTTPS at port ${running.tlsPort}`;
  console.log(`The edge listens at ${running.host}:${running.port}${secure}`);
  await ended;
  setTimeout(() => process.exit(1), stopLimitMs).unref();
  await running.stop();
  metricsServer?.close();
  process.exit(0);
}
