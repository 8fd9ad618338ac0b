import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MovableClock, systemIds } from '@namehold/base';
import { loadSchemas } from '@namehold/epp';
import type { EppServer, EppServerEvent } from '@namehold/epp/server';
import { type Database, migrate, openDatabase } from '@namehold/postgres';
import { openCommandCounters } from './control/command-counters.ts';
import { openControl } from './control/server.ts';
import { allTldsEndpoint, type EndpointOptions, endpointOpener, systemEndpoint } from './endpoints.ts';
import { chaosFaults } from './faults/chaos.ts';
import { openFaultInjector } from './faults/fault-injector.ts';
import { type CarryOut, openHeldCommands } from './faults/held-commands.ts';
import { openMessageFaults } from './faults/message-faults.ts';
import { openStaleReads } from './faults/stale-reads.ts';
import { accountIds, readAccounts, type SandboxAccount, seedAccounts } from './identity/accounts.ts';
import { type CertificateFiles, makeCertificates } from './identity/certificates.ts';
import { openHttpApi } from './keysys/http-api.ts';
import { openMessageCounts } from './poll/message-counts.ts';
import { dispatch } from './registry/dispatch.ts';
import type { Registry } from './registry/registry.ts';
import { seedNameServers } from './registry/seed.ts';
import { openHorizon } from './scheduler/horizon.ts';
import { settleDue } from './scheduler/settle.ts';
import { startTicker } from './scheduler/ticker.ts';
import { sandboxSystems } from './systems/index.ts';
import { sandboxLimits, sandboxNamespaces, sandboxTldOf } from './tlds/index.ts';

const schema = fileURLToPath(new URL('./schema', import.meta.url));

export interface SandboxOptions {
  readonly databaseUrl: string;
  /** For certificates, keys and passwords; created if it is missing. */
  readonly folder: string;
  /** Business time, shared with the service. */
  readonly clock: MovableClock;
  /** Default 0: a free port. */
  readonly port?: number;
  readonly controlPort?: number;
  readonly maxConnections?: number;
  readonly idleMs?: number;
  /** Validates answers against the schemas too; for tests. */
  readonly validateAnswers?: boolean;
  /** Seed of the faults of chaos mode; without it there are none. */
  readonly chaosSeed?: number;
  readonly onEvent?: (event: SandboxEvent) => void;
}

export type SandboxEvent =
  | EppServerEvent
  /** The new password is written to the files of the folder. */
  | { readonly type: 'password-changed'; readonly clientId: string }
  | { readonly type: 'scheduler-failed'; readonly error: unknown }
  | { readonly type: 'database-fault'; readonly error: unknown };

interface SandboxSystemState extends SandboxAccount {
  readonly name: string;
  readonly port: number;
  readonly tlds: readonly string[];
  /** The HTTP API of an upstream. */
  readonly http_port?: number;
}

export interface Sandbox {
  readonly host: string;
  readonly port: number;
  readonly controlPort: number;
  readonly caFile: string;
  readonly accounts: readonly SandboxAccount[];
  /** Endpoints of single registries, each with the platform's account there. */
  readonly systems: readonly SandboxSystemState[];
  /** Makes all due changes. The next command would also notice a moved clock. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const loopback = '127.0.0.1';
const systemClientIds = sandboxSystems.map(({ clientId }) => clientId);

/** Builds the registry from its parts and opens its EPP and control endpoints. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, folder, onEvent } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = await makeCertificates(folder, accountIds);
  const db = await openSeeded(options, files);
  const schemas = options.validateAnswers ? await loadSchemas() : undefined;
  const registry: Registry = {
    db,
    clock,
    ids: systemIds,
    tlds: sandboxTldOf,
    endpoint: {
      tlds: sandboxTldOf,
      maxNamesPerCheck: sandboxLimits.maxNamesPerCheck,
      needsAuthInfo: sandboxNamespaces.secureAuthInfo === undefined,
    },
    horizon: openHorizon(),
    messageCounts: openMessageCounts(db),
  };
  await settleDue(registry);
  const counters = openCommandCounters();
  const carryOut: CarryOut = (command, session) => dispatch(registry, command, session);
  const held = openHeldCommands(carryOut);
  const messageFaults = openMessageFaults(registry);
  const faultInjector = openFaultInjector({
    openSessions: counters.sessionsOf,
    held,
    staleReads: openStaleReads(carryOut),
    messageFaults,
    chaosFaults: options.chaosSeed === undefined ? [] : chaosFaults(options.chaosSeed),
  });
  const open = endpointOpener({ options, registry, files, schemas, counters, faultInjector });
  const server = open(allTldsEndpoint(registry));
  const port = await server.listen(options.port ?? 0, loopback);
  const systems = await openSystems(open, registry);
  const control = await openControl(
    { registry, clock, faultInjector, held, counters },
    options.controlPort ?? 0,
    loopback,
  );
  const ticker = startTicker(registry, (error) => onEvent?.({ type: 'scheduler-failed', error }));
  return {
    host: loopback,
    port,
    controlPort: control.port,
    caFile: files.caFile,
    get accounts() {
      return readAccounts(folder, files);
    },
    get systems() {
      return systems.map(({ clientId, state }) => ({ ...state, ...readAccounts(folder, files, [clientId])[0]! }));
    },
    async settle() {
      await settleDue(registry);
    },
    async stop() {
      held.lose();
      await ticker.stop();
      await control.close();
      await Promise.all([server, ...systems.flatMap((each) => each.servers)].map((each) => each.close()));
      await db.close();
    },
  };
}

/** Migrates the database and creates the registry's initial objects. */
async function openSeeded(options: SandboxOptions, files: CertificateFiles): Promise<Database> {
  const { databaseUrl: url, folder, clock, onEvent } = options;
  await migrate({ url, folder: schema });
  const db = openDatabase({
    url,
    applicationName: 'namehold-sandbox',
    maxConnections: options.maxConnections ?? 16,
    onError: (error) => onEvent?.({ type: 'database-fault', error }),
  });
  const accounts = [...readAccounts(folder, files), ...readAccounts(folder, files, systemClientIds)];
  await seedAccounts(db, accounts, clock.now());
  await seedNameServers(db, clock.now());
  return db;
}

/** Each registry on a port of its own. */
const openSystems = (open: (offer: EndpointOptions) => EppServer, registry: Registry) =>
  Promise.all(
    sandboxSystems.map(async (system) => {
      const server = open(systemEndpoint(registry, system));
      const { name, tlds, clientId } = system;
      const api = system.keysys ? await openHttpApi(registry, system, loopback) : undefined;
      const state = { name, tlds, port: await server.listen(0, loopback), ...(api ? { http_port: api.port } : {}) };
      return { servers: [server, ...(api ? [api] : [])], clientId, state };
    }),
  );
