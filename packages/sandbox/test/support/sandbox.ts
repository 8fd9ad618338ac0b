import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock, type MovableClock } from '@namehold/base';
import {
  ALL_NAMESPACES,
  type Answer,
  createEppPool,
  type DataOf,
  DEFAULT_PROFILE,
  type Done,
  type ObjectRequest,
  type Refused,
  type RegistryProfile,
  withFixed,
} from '@namehold/epp';
import { type Sandbox, type SandboxOptions, startSandbox } from '@namehold/sandbox';
import { sandboxExtensions } from '@namehold/sandbox/tlds/index';
import { registryDatabase } from '../../../../test/support/database.ts';
import { openSession, type RawClient } from './raw.ts';

/** A profile without rules, so that the registry itself must refuse. */
const profile: RegistryProfile = {
  ...DEFAULT_PROFILE,
  id: 'sandbox',
  tlds: { fr: { hostModel: 'attributes' } },
  namespaces: ALL_NAMESPACES,
  extensions: sandboxExtensions,
  rules: { ...DEFAULT_PROFILE.rules, dataModel: 'per-registrar', authInfoMinLength: 0, authInfoMaxLength: 200 },
  limits: {
    ...DEFAULT_PROFILE.limits,
    sessions: 4,
    maxNamesPerCheck: 60,
    commandsPerSecond: 100_000,
    maxCommandsPerSession: 100_000,
  },
};

export type Client = ReturnType<typeof openClient>;

export interface TestRegistry {
  readonly sandbox: Sandbox;
  readonly clock: MovableClock;
  readonly databaseUrl: string;
  readonly folder: string;
  /** The platform's account. */
  readonly us: Client;
  readonly otherRegistrar: Client;
  control<T = Record<string, never>>(method: string, path: string, body?: unknown): Promise<T>;
  /** Moves the clock and makes all due changes. */
  move(text: string): Promise<void>;
  client(index: 0 | 1, change?: Partial<RegistryProfile>): Client;
  close(): Promise<void>;
}

let counter = 0;
export const newTrid = (): string => `T-${process.pid}-${Date.now().toString(36)}-${counter++}`;

export function openClient(sandbox: Sandbox, index: 0 | 1, change: Partial<RegistryProfile> = {}) {
  const account = sandbox.accounts[index];
  if (account === undefined) throw new Error('no such account');
  const pool = createEppPool({
    endpoint: {
      host: sandbox.host,
      port: sandbox.port,
      ca: readFileSync(sandbox.caFile),
      cert: readFileSync(account.cert_file),
      key: readFileSync(account.key_file),
    },
    credentials: { clID: account.client_id, pw: account.password },
    profile: { ...profile, ...change },
    journal: { prepared: async () => {} },
    newClTRID: newTrid,
  });
  let raw: Promise<RawClient> | undefined;
  const send = <R extends ObjectRequest>(request: R): Promise<Answer<DataOf<R>>> => pool.send(request);
  return {
    pool,
    clientId: account.client_id,
    send,
    async done<R extends ObjectRequest>(request: R): Promise<Done<DataOf<R>>> {
      const answer = await send(request);
      if (answer.kind === 'done') return answer;
      throw new Error(`${request.object} ${request.verb}: ${JSON.stringify(answer)}`);
    },
    async refused<R extends ObjectRequest>(request: R): Promise<Refused> {
      const answer = await send(request);
      if (answer.kind === 'refused') return answer;
      throw new Error(`${request.object} ${request.verb} was not refused: ${JSON.stringify(answer)}`);
    },
    /** The code of the answer to a command that our own client might refuse to send. */
    async code(request: ObjectRequest): Promise<number> {
      raw ??= openSession(sandbox, index);
      return (await (await raw).send(withFixed(request, profile))).results[0].code;
    },
    async close() {
      (await raw)?.close();
      await pool.close();
    },
  };
}

/** A registry in this process, with a clock that only the test moves. */
export async function startTestRegistry(more: Partial<SandboxOptions> = {}): Promise<TestRegistry> {
  const database = await registryDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'namehold-sandbox-'));
  const clock = fakeClock('2026-03-01T12:00:00Z');
  const failures: unknown[] = [];
  const sandbox = await startSandbox({
    databaseUrl: database.url,
    folder,
    clock,
    validateAnswers: true,
    ...more,
    onEvent(event) {
      if ('error' in event) failures.push(event.error);
    },
  });
  const us = openClient(sandbox, 0);
  const otherRegistrar = openClient(sandbox, 1);
  const control = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${sandbox.controlPort}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return (answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text) as T;
  };
  return {
    sandbox,
    clock,
    databaseUrl: database.url,
    folder,
    us,
    otherRegistrar,
    control,
    async move(text) {
      await control('POST', '/clock', { move: text });
    },
    client: (index, change) => openClient(sandbox, index, change),
    async close() {
      await Promise.all([us.close(), otherRegistrar.close()]);
      await sandbox.stop();
      // The drop may end a connection that is still closing; this is not a failure of the registry.
      const failed = failures.map(String);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
      if (failed.length > 0) throw new Error(`the registry failed: ${failed.join('; ')}`);
    },
  };
}
