import { join } from 'node:path';
import type { Vault } from '@namehold/base';
import { onTerminationSignal, startWatchdog } from '@namehold/base';
import { Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { collectProcessMetrics, serveMetrics } from './http/metrics.ts';
import { runMx } from './mx/run.ts';
import type { MxSettings } from './mx/settings.ts';

/** Limits the stop if the database does not answer. */
const stopLimitMs = 5_000;

/** Runs `namehold mx` beside Postfix until a termination signal. */
export async function serveMx(
  settings: MxSettings,
  config: Config,
  logger: Logger,
  vault: Pick<Vault, 'open'> | undefined,
): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  onTerminationSignal(end);
  // An unexpected error in a request must not end the process.
  process.on('uncaughtException', (error) => logger.error({ err: error }, 'unexpected error in the mail host'));
  startWatchdog({ limitMs: config.eventLoopLimitMs });
  const metrics = new Registry();
  collectProcessMetrics(metrics);
  const running = await runMx(settings, {
    log: logger,
    metrics,
    copyFile: join(config.dataDir, 'mx', 'routes'),
    vault,
  });
  const metricsServer =
    config.mxMetricsPort === undefined
      ? undefined
      : await serveMetrics(metrics, config.metricsHost, config.mxMetricsPort);
  const { maps, policy } = running.ports;
  console.log(`Listening for Postfix at ${running.host}, maps at port ${maps}, policy at port ${policy}`);
  await ended;
  setTimeout(() => process.exit(1), stopLimitMs).unref();
  await running.stop();
  metricsServer?.close();
  process.exit(0);
}
