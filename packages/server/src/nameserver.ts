import { join } from 'node:path';
import { onTerminationSignal, startWatchdog } from '@namehold/base';
import { Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { collectProcessMetrics, serveMetrics } from './http/metrics.ts';
import { createLogger } from './logger.ts';
import { runNameserver } from './nameservers/responder/run.ts';
import type { NameserverSettings } from './nameservers/responder/settings.ts';

/** Settings of the nameserver process. */
export function nameserverSettings(config: Config, databaseUrl: string): NameserverSettings {
  return {
    folder: join(config.dataDir, 'nameserver'),
    databaseUrl,
    hosts: config.dnsHosts,
    port: config.dnsPort ?? 0,
    threads: config.dnsThreads,
    logLevel: config.logLevel,
    eventLoopLimitMs: config.eventLoopLimitMs,
    metricsHost: config.metricsHost,
    metricsPort: config.dnsMetricsPort,
    answering: {
      batches: config.dnsBatches === 'on',
      ratePerSecond: config.dnsRateLimit,
      rateSlip: config.dnsRateSlip,
      rateExempt: config.dnsRateExempt,
      cookieSecrets: config.dnsCookieSecrets,
      version: config.dnsVersion,
      serverId: config.dnsServerId,
      tcpConnections: config.dnsTcpConnections,
      tcpConnectionsPerAddress: config.dnsTcpConnectionsPerAddress,
      tcpIdleMs: config.dnsTcpIdleMs,
      tcpQuestions: config.dnsTcpQueries,
    },
  };
}

/** Limits the stop if the database does not answer. */
const STOP_LIMIT_MS = 5_000;

/** Runs until a termination signal, or until a thread ends; then with exit code 1. */
export async function serveNameserver(settings: NameserverSettings, isOwn: boolean, logger: Logger): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  onTerminationSignal(() => end(0));
  startWatchdog({ limitMs: settings.eventLoopLimitMs });
  const metrics = new Registry();
  collectProcessMetrics(metrics);
  const running = await runNameserver(settings, { log: logger, metrics, isOwn, onEnd: () => end(1) });
  const metricsServer =
    settings.metricsPort === undefined
      ? undefined
      : await serveMetrics(metrics, settings.metricsHost, settings.metricsPort);
  if (isOwn) console.log(`The nameserver listens at ${running.state.host}:${running.state.port}`);
  const code = await ended;
  // A thread that has ended cannot be closed, so the exit is forced.
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  if (code === 0) await running.stop();
  metricsServer?.close();
  process.exit(code);
}

if (import.meta.main) {
  const settings = JSON.parse(process.env.NAMESERVER_SETTINGS ?? '{}') as NameserverSettings;
  const logger = createLogger(settings.logLevel);
  // An unexpected error in a request must not end the process.
  process.on('uncaughtException', (error) => logger.error({ err: error }, 'unexpected error in the nameserver'));
  serveNameserver(settings, false, logger).catch((error: unknown) => {
    console.error((error as Error).message);
    process.exit(1);
  });
}
