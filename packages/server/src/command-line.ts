import { existsSync } from 'node:fs';
import { clockFromFile, type OnStopPart, onTerminationSignal, openVault, startWatchdog } from '@namehold/base';
import { isConnectionLoss, openDatabase } from '@namehold/postgres';
import { backupCluster, restoreCluster } from '@namehold/postgres/embedded/backup';
import { type Cluster, clusterUrl, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import { superviseCluster } from '@namehold/postgres/embedded/supervise';
import type { Logger } from 'pino';
import { type Probe, type Tools, UsageError } from './cli/command.ts';
import { promptAtTerminal } from './cli/prompt.ts';
import { runCommand } from './cli/run.ts';
import { mxSnippet } from './cli/snippets/mx.ts';
import { formerNamesIn } from './config/former-names.ts';
import { type Config, readConfig, SettingError } from './config.ts';
import { findDemoAccount } from './core/accounts/find-demo.ts';
import type { AppContext } from './core/app-context.ts';
import { missingFonts } from './core/invoices/scripts.ts';
import { openServiceVault } from './core/vault/open.ts';
import { whileAnswering } from './database-watch.ts';
import { edgeSettings } from './edge/settings.ts';
import { serveEdge } from './edge.ts';
import { type Begun, beginServe } from './embedded/begin.ts';
import { linkToConsole } from './embedded/console-link.ts';
import { type Credentials, DataFolder } from './embedded/data-folder.ts';
import { runDemoActivity } from './embedded/demo-activity.ts';
import { probeEdge } from './embedded/edge-probes.ts';
import { probeMail } from './embedded/mail-probes.ts';
import { masterKeySource, rotateMasterKey } from './embedded/master-key.ts';
import { readNameserver } from './embedded/nameserver-process.ts';
import { probeDatabase, probePorts, probeReplication } from './embedded/probes.ts';
import { probeReplica } from './embedded/replica-probe.ts';
import { requirePorts } from './embedded/require-ports.ts';
import { openSandbox, readState, sandboxLaunch } from './embedded/sandbox-process.ts';
import { withStartLock } from './embedded/start-lock.ts';
import { acquireUsageLock, type UsageLock } from './embedded/usage-lock.ts';
import { welcome } from './embedded/welcome.ts';
import { createLogger } from './logger.ts';
import {
  configuredLogins,
  type Logins,
  loginAt,
  openLogins,
  rolesSql,
  sessionProof,
  settingsOfLogins,
} from './logins.ts';
import { migrateWithRoles } from './missing-roles.ts';
import { presentedCertificate } from './mx/presented-certificate.ts';
import { mxSettings } from './mx/settings.ts';
import { serveMx } from './mx.ts';
import { nameserverSettings, serveNameserver } from './nameserver.ts';
import { openParts, type Parts, schemaFolder } from './parts.ts';
import { changeRegistryPassword } from './registries/password.ts';
import { bundledProfile, bundledProfiles } from './registries/profiles/bundled.ts';
import { readProfileFile } from './registries/read-profile.ts';
import { testConnection } from './registries/test-connection.ts';
import { upstreamAccounts } from './registries/upstream/accounts.ts';
import { recordRegistry } from './registries/upstream/shapes/record-registry.ts';
import { release } from './release.ts';
import { type Service, startService } from './service.ts';
import { StopTimes } from './stop-times.ts';
import { unreachable } from './unreachable.ts';

/** Runs until a termination signal. Services on one data folder share its embedded parts; the last one to stop ends them. */
async function serve(beginning: Promise<Begun>): Promise<void> {
  const begun = await beginning;
  const { config, stopRequested } = begun;
  const { parts, usage } = await joinParts(config, startLogger(config), begun);
  let isFirstStart = false;
  const watch = parts.cluster && superviseCluster(parts.cluster, (facts, text) => parts.logger.error(facts, text));
  let service: Service;
  try {
    if (config.mode === 'production') await refuseDemoAccount(parts.ctx);
    service = await withStartLock(parts.ctx, parts.databaseUrl, () => {
      isFirstStart = parts.folder.readCredentials() === undefined;
      return startService(config, parts, { launched: begun.sandbox });
    });
  } catch (error) {
    watch?.cancel();
    await parts.close();
    await usage.leave(() => endEmbedded(parts, begun.sandbox));
    // The port was taken after the first check, usually by a second start of the same service. Report it with the same message.
    if ((error as { code?: string }).code === 'EADDRINUSE') await requirePorts(config);
    throw error;
  }
  startWatchdog({
    limitMs: config.eventLoopLimitMs,
    onError: (error) => parts.logger.error({ err: error }, 'watchdog thread failed'),
  });
  if (service.credentials) await greet(parts, service.credentials, isFirstStart);
  else if (config.mode === 'sandbox') parts.logger.warn({ data_dir: config.dataDir }, noCredentials);
  // Runs after the link was printed, so the start does not wait for it.
  if (service.credentials && isFirstStart && config.demoDomains === 'on')
    runDemoActivity(service.credentials, parts.logger).catch((error: unknown) =>
      parts.logger.warn({ err: error }, 'demo activity failed'),
    );
  await stopRequested;
  const times = new StopTimes();
  const onPart: OnStopPart = (...names) => times.begin(...names);
  setTimeout(() => giveUp(parts.logger, times), endLimitMs).unref();
  watch?.cancel();
  await service.stop(onPart);
  onPart('other processes that use the embedded parts');
  // Without embedded parts there is nothing to end, so an unavailable database causes no wait.
  const hasEmbedded = parts.cluster !== undefined || service.sandbox !== undefined;
  await usage.leave(hasEmbedded ? () => service.stopEmbedded(onPart) : undefined);
  const facts = times.facts();
  parts.logger[facts.took_ms > slowStopMs ? 'warn' : 'info'](facts, 'service stopped');
  process.exit(0);
}

/** The logger of a process that serves. Warns about each setting under its former name. */
function startLogger(config: Config): Logger {
  const logger = createLogger(config.logLevel);
  for (const { former, current } of formerNamesIn(process.env))
    logger.warn({ former, current }, `setting ${former} has a new name: use ${current}`);
  return logger;
}

/** Exceeded only if requests are slow or the database does not answer. */
const slowStopMs = 10_000;

/** Less than the kill timeout of supervisors (deploy/namehold.service). */
const endLimitMs = 35_000;

/** Ends the process if a part does not stop within the limit. */
function giveUp(logger: Logger, times: StopTimes): void {
  const facts = { limit_ms: endLimitMs, part: times.current, ...times.facts() };
  logger.error(facts, 'stop timeout exceeded; exiting without the remaining parts');
  process.exit(1);
}

/** Printed and never logged, because it contains secrets. A failed link does not prevent the start. */
const noCredentials =
  'the data folder has no credentials.json for the accounts of this sandbox: create a key with "namehold key create 1000 --label new --ip 127.0.0.1"; or, if the first start was interrupted, remove the data folder and start again';

async function greet({ ctx, folder, logger }: Parts, credentials: Credentials, isFirstStart: boolean): Promise<void> {
  const link = await linkToConsole(ctx, credentials.base_url).catch((error: unknown) => {
    logger.error({ err: error }, 'console link not created');
    return { url: `${credentials.base_url}/app` };
  });
  console.log(welcome(credentials, link, isFirstStart, folder.file('credentials.json')));
}

async function refuseDemoAccount(ctx: AppContext): Promise<void> {
  const id = await findDemoAccount(ctx);
  if (id)
    throw new SettingError(
      `production mode: this database contains the demo reseller ${id} of a sandbox; use another database, or run: namehold reseller suspend ${id}`,
    );
}

/** Ends embedded processes after a failed start, because no running service knows them. */
async function endEmbedded(parts: Parts, launched: Begun['sandbox']): Promise<void> {
  await endSandbox(parts.folder, launched);
  const nameserver = readNameserver(parts.folder.file('nameserver'));
  if (nameserver && !nameserver.is_own) process.kill(nameserver.pid, 'SIGTERM');
  await parts.cluster?.stop();
}

/** Also ends a registry that is still starting. */
async function endSandbox(folder: DataFolder, launched: Begun['sandbox']): Promise<void> {
  await launched?.catch(() => undefined);
  const sandbox = readState(folder.file('sandbox'));
  if (sandbox) process.kill(sandbox.pid, 'SIGTERM');
}

const joinTries = 5;

/** Another process may be stopping the embedded database at this moment; then it is started again. */
async function joinParts(config: Config, logger: Logger, begun?: Begun): Promise<{ parts: Parts; usage: UsageLock }> {
  for (let attempt = 1; ; attempt++) {
    try {
      const parts = await openParts(config, logger, attempt === 1 ? { cluster: await begun?.cluster } : {});
      return { parts, usage: await acquireUsageLock(parts.databaseUrl) };
    } catch (error) {
      if (!config.databaseUrl && isConnectionLoss(error) && attempt < joinTries) continue;
      await abandon(config, begun?.sandbox);
      throw error;
    }
  }
}

/** Stops the embedded database after a failed start, if no other process uses it. */
async function abandon(config: Config, launched: Begun['sandbox']): Promise<void> {
  const folder = new DataFolder(config.dataDir);
  if (config.databaseUrl || !existsSync(folder.file('postgres/data'))) return;
  const cluster = await openCluster({ folder: folder.file('postgres') });
  const usage = await acquireUsageLock(cluster.url('namehold'));
  await usage.leave(async () => {
    if (launched) await endSandbox(folder, launched);
    await cluster.stop();
  });
}

async function withContext<T>(work: (ctx: AppContext) => Promise<T>): Promise<T> {
  const config = readConfig({ ...process.env, NAMEHOLD_LOG_LEVEL: process.env.NAMEHOLD_LOG_LEVEL ?? 'error' });
  const run = () => inContext(config, work);
  return config.databaseUrl ? whileAnswering(config.databaseUrl, run) : run();
}

async function inContext<T>(config: Config, work: (ctx: AppContext) => Promise<T>): Promise<T> {
  // Standard error, because a program may read the output of the command on standard output.
  const { parts, usage } = await joinParts(config, createLogger(config.logLevel, process.stderr.fd));
  try {
    return await work(parts.ctx);
  } finally {
    await parts.close();
    await usage.leave(async () => (parts.cluster?.startedHere ? parts.cluster.stop() : undefined));
  }
}

/** The database without the service. An embedded database that was started for this is stopped again. */
async function withDatabase<T>(
  config: Config,
  work: (url: string, cluster: Cluster | undefined) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = config;
  if (databaseUrl)
    return work(databaseUrl, undefined).catch((error: unknown) => {
      throw unreachable('DATABASE_URL', databaseUrl, error);
    });
  const cluster = await openCluster({ folder: new DataFolder(config.dataDir).file('postgres') });
  await ensureDatabase(cluster, 'namehold');
  const usage = await acquireUsageLock(cluster.url('namehold'));
  try {
    return await work(cluster.url('namehold'), cluster);
  } finally {
    await usage.leave(async () => (cluster.startedHere ? cluster.stop() : undefined));
  }
}

/** A role may change its own session defaults, so injected SQL can do it too. */
async function probeLoginSettings(url: string): Promise<Probe> {
  const name = 'login settings';
  const fix =
    'they have no effect and the next start removes them; if no administrator set them, another party ran statements as this login';
  try {
    const found = await settingsOfLogins(url);
    if (found.length === 0) return { name, ok: true, text: 'no settings on the roles' };
    return { name, ok: false, text: `settings on the roles: ${found.join('; ')}`, fix };
  } catch (error) {
    return { name, ok: false, text: (error as Error).message, fix: 'check the database' };
  }
}

/**
 * The same check as at the start: the real identity of the logins, and whether a pooler mixes their sessions. If it fails, the other
 * checks give no reliable result.
 */
async function probeLogins(url: string, config: Config, before: readonly Probe[]): Promise<Probe[]> {
  const name = 'isolation between accounts';
  try {
    const logins = await openLogins(url, configuredLogins(config));
    return [
      { name, ok: true, text: 'the three logins work and own nothing, and their sessions are not shared' },
      await probeMasterKey(logins, config),
      ...(await probeReplicaOf(url, logins, config)),
    ];
  } catch (error) {
    const unknown = ['master key', ...(config.databaseReplicaUrl === undefined ? [] : ['replica'])];
    const notChecked = (names: readonly string[], see: string) =>
      names.map((each) => ({ name: each, ok: false, text: `not checked: see ${see}` }));
    // Without the roles and their tables nothing else can be said.
    const cause = ['logins', 'migrations'].find((each) => before.some((probe) => probe.name === each && !probe.ok));
    if (cause) return notChecked([name, ...unknown], cause);
    return [
      { name, ok: false, text: (error as Error).message, fix: 'docs/operate/cluster.md, "Logins behind a pooler"' },
      ...notChecked(unknown, name),
    ];
  }
}

async function probeReplicaOf(url: string, { appUrl }: Logins, config: Config): Promise<Probe[]> {
  if (config.databaseReplicaUrl === undefined) return [];
  try {
    return [await probeReplica(url, loginAt(config.databaseReplicaUrl, appUrl), sessionProof())];
  } catch (error) {
    return [{ name: 'replica', ok: false, text: (error as Error).message, fix: 'docs/operate/cluster.md' }];
  }
}

async function probeMasterKey({ schedulerUrl }: Logins, config: Config): Promise<Probe> {
  const name = 'master key';
  try {
    const db = openDatabase({ url: schedulerUrl, maxConnections: 1 });
    await openServiceVault(db, masterKeySource(config)).finally(() => db.close());
    return { name, ok: true, text: 'decrypts the secrets of the database' };
  } catch (error) {
    return { name, ok: false, text: (error as Error).message, fix: 'set the key with which this database was started' };
  }
}

async function probes(options: { readonly sendsMail: boolean }): Promise<Probe[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return [{ name: 'settings', ok: false, text: (error as Error).message, fix: 'docs/operate/settings.md' }];
  }
  const renamed = formerNamesIn(process.env).map(({ former, current }) => `${former} has a new name: use ${current}`);
  const found = await withDatabase(config, async (url) => {
    const database = await probeDatabase(url, schemaFolder);
    return [
      ...database,
      await probeReplication(url),
      // Before the logins are opened, because that resets their settings.
      await probeLoginSettings(url),
      ...(await probeLogins(url, config, database)),
    ];
  });
  return [
    { name: 'settings', ok: true, text: [`${config.mode} mode`, ...renamed].join('; ') },
    ...found,
    ...(await probePorts(config)),
    { name: 'fonts', ok: true, text: missingFonts() ?? 'PDF documents show all supported scripts' },
    ...(await probeEdge(config)),
    ...(await probeMail(config, {
      ...options,
      presentedCertificate,
      snippetOf: (mailHost) => mxSnippet({ ...config, mailDomain: config.mailDomain!, mailHost }),
    })),
  ];
}

/** For commands that start without the database and cannot read the login passwords. Falls back to the login of the owner. */
const followedUrl = (config: Config) =>
  config.databaseSchedulerUrl ??
  config.databaseUrl ??
  clusterUrl(new DataFolder(config.dataDir).file('postgres'), 'namehold');

export const tools: Tools = {
  config: () => readConfig(process.env),
  withContext,
  serve: () => serve(beginServe(process.env)),
  async serveNameserver() {
    const config = readConfig(process.env);
    if (config.dnsPort === undefined) throw new UsageError('NAMEHOLD_DNS_PORT is off: no nameserver can be started');
    const folder = new DataFolder(config.dataDir);
    const running = readNameserver(folder.file('nameserver'));
    if (running)
      throw new UsageError(`a nameserver already runs on ${config.dataDir}, at ${running.host}:${running.port}`);
    await serveNameserver(nameserverSettings(config, followedUrl(config)), true, startLogger(config));
  },
  async serveEdge() {
    const config = readConfig(process.env);
    const settings = edgeSettings(config, followedUrl(config));
    if (!settings)
      throw new UsageError(
        'NAMEHOLD_REDIRECT_PORT is off, or NAMEHOLD_REDIRECT_ADDRESS is empty: no edge can be started',
      );
    const vault = settings.tls && openVault(masterKeySource(config));
    await serveEdge(settings, config, startLogger(config), vault);
  },
  async serveMx() {
    const config = readConfig(process.env);
    const settings = mxSettings(config, followedUrl(config));
    if ('missing' in settings) throw new UsageError(settings.missing);
    const vault = settings.certificateFile === undefined ? undefined : openVault(masterKeySource(config));
    await serveMx(settings, config, startLogger(config), vault);
  },
  migrate: () =>
    withDatabase(readConfig(process.env), (url) => migrateWithRoles({ url, folder: schemaFolder, release })),
  databaseRoles: rolesSql,
  rotateMasterKey: () => rotateMasterKey(readConfig(process.env), withContext),
  readCredentials: () => new DataFolder(readConfig(process.env).dataDir).readCredentials(),
  async backup(file) {
    const config = readConfig(process.env);
    if (config.databaseUrl)
      throw new UsageError(
        'DATABASE_URL is set: back up that PostgreSQL with its own tools (pg_basebackup, pg_dump), and keep a copy of NAMEHOLD_MASTER_KEY',
      );
    if (existsSync(file)) throw new UsageError(`${file} already exists: a backup never overwrites a file`);
    const folder = new DataFolder(config.dataDir);
    const kept = ['master.key', 'credentials.json', 'clock'].map((name) => folder.file(name));
    return withDatabase(config, (_url, cluster) => backupCluster(cluster!, kept, file));
  },
  async restore(file) {
    const config = readConfig(process.env);
    if (config.databaseUrl) throw new UsageError('DATABASE_URL is set: restore that PostgreSQL with its own tools');
    const folder = new DataFolder(config.dataDir);
    restoreCluster(file, folder.path, folder.file('postgres'));
  },
  probes,
  testRegistry: testConnection,
  changeRegistryPassword,
  readProfile: (json, id) => readProfileFile(json, id) as unknown as ReturnType<Tools['readProfile']>,
  bundledProfile,
  bundledProfiles,
  recordRegistry,
  upstreamAccounts,
  prompt: process.stdin.isTTY ? promptAtTerminal : undefined,
  async sandboxControl(method, path, body) {
    const state = readState(new DataFolder(readConfig(process.env).dataDir).file('sandbox'));
    if (!state) throw new UsageError('the sandbox registry of this data folder is not running');
    const response = await fetch(`http://127.0.0.1:${state.control_port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const answer = (await response.json()) as { error?: string };
    if (!response.ok) throw new UsageError(answer.error ?? `the sandbox registry returned ${response.status}`);
    return answer;
  },
  async runSandbox() {
    const config = readConfig(process.env);
    const folder = new DataFolder(config.dataDir);
    const cluster = config.sandboxDatabaseUrl ? undefined : await openCluster({ folder: folder.file('postgres') });
    if (cluster) await ensureDatabase(cluster, 'namehold_sandbox');
    const sandbox = await openSandbox({
      ...sandboxLaunch(config, folder, config.sandboxDatabaseUrl ?? cluster!.url('namehold_sandbox')),
      onRestart: () => undefined,
    });
    console.log(JSON.stringify(sandbox.state, null, 2));
    const { promise, resolve } = Promise.withResolvers<void>();
    const keepAlive = setInterval(() => undefined, 60_000);
    onTerminationSignal(resolve);
    await promise;
    clearInterval(keepAlive);
    await sandbox.stop();
    if (cluster?.startedHere) await cluster.stop();
  },
  moveClock(byMs) {
    const config = readConfig(process.env);
    if (config.mode !== 'sandbox') throw new UsageError('the clock can be moved only in sandbox mode');
    const clock = clockFromFile(new DataFolder(config.dataDir).file('clock'));
    if (byMs !== 0) clock.move(byMs);
    return clock.now();
  },
};

const lingerMs = 1_000;

/** `begun`: the parts that `serve` has already started. */
export async function runUntilDone(argv: string[], begun: Promise<Begun> | undefined): Promise<void> {
  process.exitCode = await runCommand(argv, begun ? { ...tools, serve: () => serve(begun) } : tools);
  // A failed start may leave timers behind, which would keep the process alive.
  setTimeout(() => process.exit(), lingerMs).unref();
}
