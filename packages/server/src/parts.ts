import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clockFromFile, type StopStep, stopParts, systemClock, systemIds } from '@namehold/base';
import { allTenants, type Database, openDatabase, type ReplicaSettings } from '@namehold/postgres';
import type { Cluster } from '@namehold/postgres/embedded/cluster';
import type { Logger } from 'pino';
import { acmeAuthority } from './certificates/acme.ts';
import { httpsCaller } from './certificates/https.ts';
import { nameLookup } from './certificates/lookup.ts';
import { sandboxAuthority } from './certificates/sandbox.ts';
import type { Config } from './config.ts';
import type { AppContext } from './core/app-context.ts';
import { accountStore } from './core/certificates/account.ts';
import { registeredEffects } from './core/composition/effects.ts';
import { domainWorkflows } from './core/composition/workflows.ts';
import { refusingDeleted } from './core/deleted-reference.ts';
import { servesTls } from './core/forwarding/target.ts';
import { sandboxMailer } from './core/notices/mailbox.ts';
import { Engine } from './core/operations/engine.ts';
import type { CertificateAuthority } from './core/ports/certificate-authority.ts';
import { openServiceVault } from './core/vault/open.ts';
import { ZoneNotifier } from './core/zones/publish/zone-notifier.ts';
import { openConfiguredCluster } from './embedded/configured-cluster.ts';
import { DataFolder } from './embedded/data-folder.ts';
import { masterKeySource } from './embedded/master-key.ts';
import { SandboxControlClient } from './embedded/sandbox-control-client.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { PublicPages } from './http/public-pages.ts';
import { pollSoon } from './jobs/poll-registries.ts';
import { createLogger } from './logger.ts';
import { configuredLogins, type Logins, loginAt, openLogins, sessionProof } from './logins.ts';
import { smtpMailer } from './mail/smtp.ts';
import { migrateWithRoles } from './missing-roles.ts';
import { serialQuerier } from './nameservers/publish/serial-querier.ts';
import { passkeyVerifier } from './passkeys/verifier.ts';
import { paymentProviders } from './payments/providers.ts';
import { ConnectedRegistries } from './registries/connected.ts';
import { createRegistryMetrics } from './registries/metrics.ts';
import { upstreamAccounts } from './registries/upstream/accounts.ts';
import { release } from './release.ts';
import { targetProbe } from './targets/probe.ts';
import { unreachable } from './unreachable.ts';
import { ThreadWorkerPool } from './workers/thread-worker-pool.ts';

export const schemaFolder = fileURLToPath(new URL('./schema', import.meta.url));

/** The parts of every command: settings, data folder, database, secrets, clocks, registries. */
export interface Parts {
  readonly ctx: AppContext;
  readonly folder: DataFolder;
  readonly databaseUrl: string;
  readonly logins: Logins;
  readonly cluster: Cluster | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly registries: ConnectedRegistries;
  readonly pages: PublicPages;
  /** Only in sandbox mode. */
  readonly sandboxControl: SandboxControlClient | undefined;
  /** The steps of `close`, for callers that stop more parts with them. */
  readonly closing: readonly StopStep[];
  close(): Promise<void>;
}

/** Limit for all parts together. */
const closeLimitMs = 15_000;

interface PartsOptions {
  /** For a worker thread, which has no worker pool itself. */
  readonly isThread?: boolean;
  /** The embedded database, if it is already open. */
  readonly cluster?: Cluster | undefined;
}

export async function openParts(
  config: Config,
  logger = createLogger(config.logLevel),
  options: PartsOptions = {},
): Promise<Parts> {
  const folder = new DataFolder(config.dataDir);
  const cluster = options.cluster ?? (await openConfiguredCluster(config, folder));
  const databaseUrl = config.databaseUrl ?? cluster!.url('namehold');
  await migrateDatabase(config, databaseUrl);
  const open = () => openServiceLogins(config, databaseUrl, logger);
  const logins = await open();
  const { db, retention } = openDatabases(config, logins, logger, open);
  const vault = await openServiceVault(db, masterKeySource(config)).catch(async (error: unknown) => {
    await Promise.all([db.close(), retention.close()]);
    throw error;
  });
  const owner = `${process.pid}-${randomUUID()}`;
  const metrics = createMetrics();
  const registries = new ConnectedRegistries({
    owner,
    metrics: createRegistryMetrics(metrics.registry),
    onMessageWaiting: (registryId) => pollSoon(ctx, registryId),
  });
  const engine = new Engine(domainWorkflows, owner);
  const workers = options.isThread ? undefined : new ThreadWorkerPool({ ...config, databaseUrl });
  const mailer = smtpMailer(config) ?? (config.mode === 'sandbox' ? sandboxMailer({ db, vault }) : undefined);
  const pages = new PublicPages(config.publicUrl ?? '');
  const sandboxControl = config.mode === 'sandbox' ? new SandboxControlClient(folder.file('sandbox')) : undefined;
  const ctx: AppContext = {
    config,
    db,
    retention: retention.autocommit(allTenants),
    vault,
    ids: systemIds,
    clock: config.mode === 'sandbox' ? clockFromFile(folder.file('clock')) : systemClock,
    wall: systemClock,
    log: logger,
    registries,
    upstreamAccounts,
    engine,
    effects: registeredEffects(),
    zoneNotifier: new ZoneNotifier(db, logger),
    ...(workers ? { workers } : {}),
    ...(mailer ? { mailer } : {}),
    authorities: openAuthorities(config, folder, { db, vault }),
    ...usesPublicNetwork(config),
    providers: paymentProviders(),
    pages,
    ...(sandboxControl ? { sandbox: sandboxControl } : {}),
    failpoint: failpoints(config),
  };
  for (const part of [registries, engine]) part.bind(ctx);
  const closing = closingOf({ mailer, workers, registries, databases: [db, retention] });
  return {
    ctx,
    folder,
    databaseUrl,
    logins,
    cluster,
    logger,
    metrics,
    registries,
    pages,
    sandboxControl,
    closing,
    close: () => stopParts(closing, { log: logger, totalMs: closeLimitMs }),
  };
}

type Closing = { close(): Promise<void> };

function closingOf(parts: {
  mailer: Closing | undefined;
  workers: Closing | undefined;
  registries: Closing;
  databases: readonly Closing[];
}): readonly StopStep[] {
  const { mailer, workers, registries, databases } = parts;
  return [
    [
      { name: 'mailer', limitMs: 2_000, stop: () => mailer?.close() },
      { name: 'worker threads', limitMs: 2_000, stop: () => workers?.close() },
      { name: 'registry connections', limitMs: 5_000, stop: () => registries.close() },
    ],
    [{ name: 'database connections', limitMs: 6_000, stop: () => Promise.all(databases.map((each) => each.close())) }],
  ];
}

/** The first use of the database, so connection failures are reported here. */
async function migrateDatabase({ databaseUrl: given }: Config, url: string): Promise<void> {
  await migrateWithRoles({ url, folder: schemaFolder, release }).catch((error: unknown) => {
    throw given ? unreachable('DATABASE_URL', given, error) : error;
  });
}

async function openServiceLogins(config: Config, databaseUrl: string, logger: Logger): Promise<Logins> {
  const logins = await openLogins(databaseUrl, configuredLogins(config));
  if (logins.cleared.length > 0)
    logger.warn(
      { settings: logins.cleared },
      'session settings of a database login removed; if no administrator set them, another party ran statements as it',
    );
  return logins;
}

/** One pool for requests and background jobs, and one that only purges. */
function openDatabases(
  config: Config,
  logins: Logins,
  logger: Logger,
  repairLogin: () => Promise<unknown>,
): { db: Database; retention: Database } {
  const db = openDatabase({
    url: logins.appUrl,
    allTenantsUrl: logins.schedulerUrl,
    tenantKey: logins.tenantKey,
    maxConnections: config.databaseConnections,
    heartbeat: true,
    repairLogin,
    onError: (error) => logger.warn({ err: error }, 'database connection lost'),
    ...(config.databaseReplicaUrl
      ? { replica: replicaSettings(config, config.databaseReplicaUrl, logins, logger) }
      : {}),
  });
  const retention = openDatabase({
    url: logins.retentionUrl,
    maxConnections: 1,
    applicationName: 'namehold-retention',
  });
  return { db: refusingDeleted(db), retention };
}

function replicaSettings(config: Config, url: string, logins: Logins, logger: Logger): ReplicaSettings {
  return {
    url: loginAt(url, logins.appUrl),
    allTenantsUrl: loginAt(url, logins.schedulerUrl),
    waitMs: config.databaseReplicaWaitMs,
    verify: sessionProof(),
    onUnavailable: (error) =>
      logger.warn({ err: error }, 'replica (NAMEHOLD_DATABASE_REPLICA_URL) unavailable; reading from the primary'),
  };
}

/** ACME authorities if a directory is set; otherwise, in sandbox mode, a local CA for the embedded edge. */
function openAuthorities(
  config: Config,
  folder: DataFolder,
  ctx: Pick<AppContext, 'db' | 'vault'>,
): readonly CertificateAuthority[] {
  if (!servesTls(config)) return [];
  if (config.acmeDirectory === undefined)
    return config.redirectPort === undefined ? [] : [sandboxAuthority(folder.file('edge'))];
  const { acmeCaFile: caFile, acmeEmail: email, acmeChain: chain } = config;
  const call = httpsCaller({ ca: caFile && readFileSync(caFile, 'utf8'), userAgent: `namehold/${release}` });
  const shared = { email, chain, accounts: accountStore(ctx), call };
  const binding = (keyId: string | undefined, hmacKey: string | undefined) =>
    keyId && hmacKey ? { keyId, hmacKey } : undefined;
  const first = { directory: config.acmeDirectory, caa: config.acmeCaa };
  const second = { directory: config.acmeSecondDirectory, caa: config.acmeSecondCaa };
  return [
    acmeAuthority({ ...shared, ...first, binding: binding(config.acmeEabKeyId, config.acmeEabHmacKey) }),
    ...(second.directory === undefined
      ? []
      : [
          acmeAuthority({
            ...shared,
            ...second,
            directory: second.directory,
            binding: binding(config.acmeSecondEabKeyId, config.acmeSecondEabHmacKey),
          }),
        ]),
  ];
}

/** Access to the public network: DNS, target checks, serial queries, passkeys. */
function usesPublicNetwork(config: Config): Pick<AppContext, 'lookup' | 'probe' | 'querySerial' | 'passkeys'> {
  return {
    querySerial: serialQuerier(config.primaryHost),
    lookup: nameLookup(config.resolvers),
    passkeys: passkeyVerifier(config),
    probe: targetProbe(`namehold/${release}`),
  };
}

/** Failpoints for recovery tests: the process kills itself there, or blocks its event loop (`<point>=block`). */
function failpoints(config: Config): AppContext['failpoint'] {
  if (config.testFaults.length === 0) return () => undefined;
  const faults = new Set(config.testFaults);
  return (label) => {
    if (faults.has(label)) process.kill(process.pid, 'SIGKILL');
    if (faults.has(`${label}=block`)) blockEventLoop();
  };
}

function blockEventLoop(): never {
  for (;;);
}
