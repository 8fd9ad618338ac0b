import { statfs } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { clockFromFile, type OnStopPart, type StopStep, stopParts } from '@namehold/base';
import { allTenants, isDatabaseAvailable } from '@namehold/postgres';
import type { Config } from './config.ts';
import { reportDuplicateAddresses } from './core/accounts/duplicate-addresses.ts';
import type { AppContext } from './core/app-context.ts';
import { createDemoAccounts, createOperator, hasAccounts } from './core/composition/first-accounts.ts';
import { missingFonts } from './core/invoices/scripts.ts';
import { deactivateEmbedded, registerEmbedded } from './core/nameservers/embedded.ts';
import { operationChannel } from './core/operations/notify.sql.ts';
import { type RunningEdge, runEdge } from './edge/run.ts';
import { edgeSettings } from './edge/settings.ts';
import type { Credentials } from './embedded/data-folder.ts';
import { DemoHistory } from './embedded/demo-history.ts';
import { type NameserverProcess, openNameserver } from './embedded/nameserver-process.ts';
import { sandboxRegistryId } from './embedded/sandbox-catalogue.ts';
import {
  credentialsOf,
  openSandbox,
  type SandboxProcess,
  type SandboxState,
  sandboxLaunch,
} from './embedded/sandbox-process.ts';
import { connectSandbox, seedMoney } from './embedded/sandbox-registry.ts';
import { announceMs, buildApp } from './http/app.ts';
import { type Load, LoadGauge, registerLoad } from './http/load-gauge.ts';
import { serveMetrics } from './http/metrics.ts';
import type { StreamLimits } from './http/streams/event-streams.ts';
import { routesIn } from './http/v1/index.ts';
import { answerOperation } from './http/v1/operations/replay.ts';
import { registerGauges } from './jobs/gauges.ts';
import { jobs } from './jobs/index.ts';
import { onResumeNotify, resumeWaiting } from './jobs/resume-operations.ts';
import { type Job, Scheduler } from './jobs/scheduler.ts';
import { followRoutes } from './mx/follow-routes.ts';
import { type RunningReceiver, receiveMail } from './mx/sandbox-receiver.ts';
import { nameserverSettings } from './nameserver.ts';
import { type Nameservers, startNameservers } from './nameservers/index.ts';
import { openParts, type Parts } from './parts.ts';

export interface Service {
  readonly parts: Parts;
  readonly url: string;
  readonly credentials: Credentials | undefined;
  readonly sandbox: SandboxProcess | undefined;
  readonly nameservers: Nameservers;
  /** The public nameserver, a separate process. */
  readonly nameserver: NameserverProcess | undefined;
  /** Answers web requests for forwarded domains. */
  readonly edge: RunningEdge | undefined;
  /** Receives mail for forwarded domains; in sandbox mode only. */
  readonly receiver: RunningReceiver | undefined;
  /** Drops cached credentials, which otherwise expire within seconds. */
  evictCachedKeys(): void;
  flushCounts(): Promise<void>;
  /** Ends all parts, each within its limit. Embedded parts keep running; `stopEmbedded` ends them too. */
  stop(onPart?: OnStopPart): Promise<void>;
  stopEmbedded(onPart?: OnStopPart): Promise<void>;
}

export interface ServiceOptions {
  /** Simulated load, for tests. */
  readonly load?: Load;
  /** Shorter limits for event streams, for tests. */
  readonly streams?: Partial<StreamLimits>;
  /** An in-process sandbox registry, for tests. */
  readonly openRegistry?: () => Promise<SandboxProcess>;
  /** The background jobs to run. Tests run most of them explicitly. */
  readonly jobs?: readonly Job[];
  /** The sandbox registry, if it is already starting. */
  readonly launched?: Promise<SandboxState> | undefined;
}

/** Running parts in the order of their start. After a failed start, only the fields up to the failure are set. */
interface Running {
  app?: ReturnType<typeof buildApp>;
  gauge?: LoadGauge;
  sandbox?: SandboxProcess | undefined;
  nameservers?: Nameservers;
  nameserver?: NameserverProcess | undefined;
  edge?: RunningEdge | undefined;
  receiver?: RunningReceiver | undefined;
  scheduler?: Scheduler;
  metricsServer?: Awaited<ReturnType<typeof serveMetrics>>;
}

/** The whole service in one process, with the embedded parts beside it. */
export async function startService(config: Config, given?: Parts, options: ServiceOptions = {}): Promise<Service> {
  const parts = given ?? (await openParts(config));
  const running: Running = {};
  try {
    return await start(parts, running, options);
  } catch (error) {
    await stopRunning(parts, running, given ? [] : parts.closing);
    throw error;
  }
}

function buildHttp({ ctx, logger, metrics }: Parts, options: ServiceOptions): Required<Pick<Running, 'app' | 'gauge'>> {
  registerGauges(metrics.registry, ctx);
  const gauge = new LoadGauge(ctx.config, () => ctx.db.longestWaitsMs());
  const load = options.load ?? gauge;
  registerLoad(metrics.registry, load);
  const app = buildApp({
    ctx,
    routes: routesIn(ctx.config.mode),
    logger,
    metrics,
    load,
    unreadyReason: () => unreadyReason(ctx),
    streams: options.streams,
    answerOperation,
  });
  return { app, gauge };
}

async function start(parts: Parts, running: Running, options: ServiceOptions): Promise<Service> {
  const { ctx, metrics } = parts;
  const { config } = ctx;
  const fonts = missingFonts();
  if (fonts) parts.logger.warn(fonts);
  const isFirst = !(await hasAccounts(ctx));
  if (!isFirst) await reportDuplicateAddresses(ctx);
  // Registry and nameserver are processes, so they start while the HTTP server is built.
  const beginning = awaitBoth(
    createAccountsAndRegistry(parts, running, isFirst, options),
    startNameserver(parts, running),
  );
  const { app } = Object.assign(running, buildHttp(parts, options));
  const [[{ first, sandbox }, nameserver]] = await awaitBoth(beginning, awaitReady(app));
  const nameservers = await startNameservers(ctx, {
    databaseUrl: parts.logins.schedulerUrl,
    metrics: metrics.registry,
    also: { channel: operationChannel, received: (payload) => void onResumeNotify(ctx, payload) },
  });
  running.nameservers = nameservers;
  if (nameserver) await registerEmbedded(ctx, nameserver.at);
  const edge = await startEdge(parts);
  running.edge = edge;
  const receiver = await startReceiver(parts);
  running.receiver = receiver;
  const scheduler = new Scheduler(ctx, options.jobs ?? jobs);
  running.scheduler = scheduler;
  if (parts.sandboxControl)
    parts.sandboxControl.runJobsNow = async () => (await scheduler.runAllNow()) && resumeWaiting(ctx);
  await app.fastify.listen({ host: config.host, port: config.port });
  const { port } = app.fastify.server.address() as AddressInfo;
  const url = config.publicUrl ?? addressOf(config, port);
  app.publicUrl = url;
  parts.pages.base = url;
  if (config.metricsPort !== undefined)
    running.metricsServer = await serveMetrics(metrics.registry, config.metricsHost, config.metricsPort);
  const metricsUrl =
    running.metricsServer &&
    `http://${config.metricsHost}:${(running.metricsServer.address() as AddressInfo).port}/metrics`;
  const credentials =
    config.mode === 'sandbox'
      ? writeCredentials(parts, { url, first, sandbox, nameserver, edge, receiver, metricsUrl })
      : undefined;
  return {
    parts,
    url,
    credentials,
    sandbox,
    nameservers,
    nameserver,
    edge,
    receiver,
    evictCachedKeys: () => app.purgeKeys(),
    flushCounts: () => app.flushCounts(),
    stop: (onPart) => stopRunning(parts, running, parts.closing, onPart),
    async stopEmbedded(onPart) {
      if (sandbox) onPart?.('sandbox process');
      await sandbox?.stop();
      if (parts.cluster) onPart?.('embedded PostgreSQL');
      await parts.cluster?.stop((facts, text) => parts.logger.warn(facts, text));
    },
  };
}

const awaitReady = async ({ fastify }: ReturnType<typeof buildApp>) => void (await fastify.ready());

/** Waits for both, also if one fails, so that the other one is known and can be ended. */
async function awaitBoth<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** Less than `endLimitMs` of the process, which includes the embedded parts. */
const stopLimitMs = 28_000;

function stopRunning(
  { ctx, logger }: Parts,
  running: Running,
  closing: readonly StopStep[],
  onPart?: OnStopPart,
): Promise<void> {
  const { app, gauge, scheduler, nameservers, nameserver, edge, receiver, sandbox, metricsServer } = running;
  const [connections = [], ...last] = closing;
  const steps: readonly StopStep[] = [
    // Its own limit for requests in progress is 25 s.
    [{ name: 'requests', limitMs: 26_000, expectedMs: announceMs(ctx.config), stop: () => app?.close() }],
    [{ name: 'load gauge', limitMs: 1_000, stop: () => gauge?.stop() }],
    [{ name: 'background jobs', limitMs: 5_000, stop: () => scheduler?.stop() }],
    [{ name: 'operations', limitMs: 10_000, stop: () => ctx.engine.drain() }],
    // Independent of each other, and each may wait for an unavailable database.
    [
      { name: 'nameserver entry', limitMs: 3_000, stop: () => nameserver && deactivateEmbedded(ctx, nameserver.at) },
      { name: 'edge', limitMs: 3_000, stop: () => edge?.stop() },
      { name: 'mail receiver', limitMs: 3_000, stop: () => receiver?.stop() },
      { name: 'hidden primary', limitMs: 5_000, stop: () => nameservers?.stop() },
      { name: 'nameserver process', limitMs: 6_000, stop: () => nameserver?.stop() },
      // It keeps running for other processes of this data folder; this process only disconnects.
      { name: 'sandbox registry', limitMs: 2_000, stop: () => sandbox?.disconnect() },
      { name: 'metrics', limitMs: 1_000, stop: () => void metricsServer?.close() },
      ...connections,
    ],
    ...last,
  ];
  return stopParts(steps, { log: logger, totalMs: stopLimitMs, onPart });
}

function addressOf(config: Config, port: number): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `${config.tlsCertFile ? 'https' : 'http'}://${host}:${port}`;
}

/** Checks the database and the free space of the data folder, because an embedded database on a full disk must get no requests. */
async function unreadyReason(ctx: AppContext): Promise<string | undefined> {
  if (!(await isDatabaseAvailable(ctx.db.as(allTenants)))) return 'database';
  const disk = await statfs(ctx.config.dataDir).catch(() => undefined);
  const isFull = disk !== undefined && (disk.bavail * disk.bsize) / 2 ** 20 < ctx.config.diskFreeMb;
  return isFull ? 'disk' : undefined;
}

/** Sandbox mode: the embedded registry, connected in the same way as a real one. */
async function openSandboxRegistry(
  parts: Parts,
  launched: Promise<SandboxState> | undefined,
): Promise<SandboxProcess | undefined> {
  const { ctx, cluster, folder } = parts;
  if (ctx.config.mode !== 'sandbox') return undefined;
  const databaseUrl = ctx.config.sandboxDatabaseUrl ?? cluster?.url('namehold_sandbox');
  if (!databaseUrl) return undefined;
  const reconnect = async (state: SandboxProcess['state']) => {
    await connectSandbox(ctx, state);
    await parts.registries.reload(sandboxRegistryId);
  };
  return openSandbox({
    ...sandboxLaunch(ctx.config, folder, databaseUrl),
    launched,
    onRestart: (state) => {
      reconnect(state).catch((error: unknown) =>
        parts.logger.error({ err: error }, 'sandbox registry restarted, but not connected'),
      );
    },
  });
}

async function useGivenRegistry(
  { sandboxControl }: Parts,
  open: () => Promise<SandboxProcess>,
): Promise<SandboxProcess> {
  const sandbox = await open();
  if (sandboxControl) sandboxControl.find = () => sandbox.state;
  return sandbox;
}

async function startNameserver(
  { ctx: { config }, logins, logger }: Parts,
  running: Running,
): Promise<NameserverProcess | undefined> {
  if (config.dnsPort === undefined) return undefined;
  const settings = nameserverSettings(config, logins.schedulerUrl);
  running.nameserver = await openNameserver({
    folder: settings.folder,
    port: config.dnsPort,
    settings,
    report: (facts, sentence) => logger.error(facts, sentence),
  });
  return running.nameserver;
}

async function startEdge({ ctx, logins, logger, metrics }: Parts): Promise<RunningEdge | undefined> {
  const settings = edgeSettings(ctx.config, logins.schedulerUrl);
  return settings && runEdge(settings, { log: logger, metrics: metrics.registry, vault: ctx.vault });
}

/** In production, Postfix with `namehold mx` receives mail. */
async function startReceiver({ ctx, logins, logger }: Parts): Promise<RunningReceiver | undefined> {
  const { mode, sandboxSmtpPort: port, abuseAddress } = ctx.config;
  if (mode !== 'sandbox' || port === undefined) return undefined;
  const operator = abuseAddress.includes('@') ? abuseAddress : undefined;
  const followed = followRoutes({ databaseUrl: logins.schedulerUrl, log: logger, operator });
  try {
    const receiver = await receiveMail(ctx, followed, { host: '127.0.0.1', port, log: logger });
    const stop = async () => {
      await receiver.stop();
      await followed.stop();
    };
    return { ...receiver, stop };
  } catch (error) {
    await followed.stop();
    throw error;
  }
}

type First = Awaited<ReturnType<typeof createDemoAccounts>>;

/** Creates accounts if there are none, and connects the sandbox registry. */
async function createAccountsAndRegistry(
  parts: Parts,
  running: Running,
  isFirst: boolean,
  options: ServiceOptions,
): Promise<{ first: First | undefined; sandbox: SandboxProcess | undefined }> {
  const { ctx, folder, logger } = parts;
  const hasPast = isFirst && ctx.config.mode === 'sandbox' && ctx.config.demoDomains === 'on';
  const past = hasPast ? new DemoHistory(clockFromFile(folder.file('clock'))) : undefined;
  past?.begin();
  try {
    const first = isFirst ? await firstStart(ctx) : undefined;
    const sandbox = await (options.openRegistry
      ? useGivenRegistry(parts, options.openRegistry)
      : openSandboxRegistry(parts, options.launched));
    running.sandbox = sandbox;
    if (sandbox) await connectSandbox(ctx, sandbox.state);
    if (first && sandbox) {
      await seedMoney(ctx, first.demo.resellerId);
      await past
        ?.createDomains(ctx, first.demo)
        .catch((error: unknown) => logger.error({ err: error }, 'demo domains incomplete'));
    }
    return { first, sandbox };
  } finally {
    past?.end();
  }
}

async function firstStart(ctx: AppContext): Promise<First | undefined> {
  if (ctx.config.mode === 'sandbox') return createDemoAccounts(ctx);
  await createOperator(ctx);
  return undefined;
}

function writeCredentials(
  parts: Parts,
  facts: {
    url: string;
    first: First | undefined;
    sandbox: SandboxProcess | undefined;
    nameserver: NameserverProcess | undefined;
    edge: RunningEdge | undefined;
    receiver: RunningReceiver | undefined;
    metricsUrl: string | undefined;
  },
): Credentials | undefined {
  const { url, first, sandbox, nameserver, edge, receiver, metricsUrl } = facts;
  const made = first && {
    reseller_id: first.demo.resellerId,
    api_key: first.demo.apiKey,
    operator: { reseller_id: first.operator.resellerId, api_key: first.operator.apiKey },
  };
  const kept = made ?? parts.folder.readCredentials();
  if (!kept) return undefined;
  const credentials: Credentials = { ...kept, base_url: url };
  if (metricsUrl) credentials.metrics_url = metricsUrl;
  const [own, otherRegistrar] = sandbox?.state.accounts ?? [];
  if (sandbox && own) credentials.registry = credentialsOf(sandbox.state, own);
  if (sandbox && otherRegistrar) credentials.rival_registry_account = credentialsOf(sandbox.state, otherRegistrar);
  if (nameserver) credentials.dns = { host: nameserver.at.host, port: nameserver.at.port };
  if (edge)
    credentials.edge = {
      host: edge.host,
      port: edge.port,
      ...(edge.tlsPort === undefined ? {} : { tls_port: edge.tlsPort }),
      ...(parts.ctx.authorities[0]?.issuesWithoutValidation ? { ca_file: parts.folder.file('edge/web-ca.crt') } : {}),
    };
  if (receiver) credentials.smtp = { host: receiver.host, port: receiver.port };
  parts.folder.writeCredentials(credentials);
  return credentials;
}
