import {
  ALL_NAMESPACES,
  DEFAULT_PROFILE,
  type EppPoolOptions,
  loadSchemas,
  type RegistryProfile,
} from '../../src/index.ts';
import { createEppServer, type EppServer, type EppServerOptions } from '../../src/server/index.ts';
import { type Identity, type TestAuthority, testAuthority } from './certificates.ts';

export type TestRegistry = {
  readonly server: EppServer;
  readonly port: number;
  readonly authority: TestAuthority;
  readonly identity: Identity;
  /** Pool options for this registry. */
  client(overrides?: Partial<EppPoolOptions>): EppPoolOptions;
  /** The received commands, `object:verb`, without login and logout. */
  readonly seen: string[];
};

export const CLIENT_ID = 'registrar1';
export const PASSWORD = 'secret-pw-1';

export const TEST_PROFILE: RegistryProfile = {
  ...DEFAULT_PROFILE,
  id: 'test',
  namespaces: ALL_NAMESPACES,
  limits: { ...DEFAULT_PROFILE.limits, sessions: 4, maxNamesPerCheck: 10, commandsPerSecond: 10_000 },
  timeouts: { connectMs: 5_000, greetingMs: 5_000, loginMs: 5_000, queryMs: 5_000, transformMs: 5_000, logoutMs: 500 },
};

/** A small registry on loopback: every name is available, and every create succeeds. */
export async function testRegistry(overrides: Partial<EppServerOptions> = {}): Promise<TestRegistry> {
  const authority = await testAuthority();
  const identity = await authority.issue('registry.test');
  const schemas = await loadSchemas();
  const seen: string[] = [];
  const server = createEppServer({
    tls: { key: identity.key, cert: identity.cert, clientCa: authority.ca },
    namespaces: ALL_NAMESPACES,
    svID: 'Test registry',
    loadValidator: async () => schemas.validator,
    validateAnswers: schemas.validator,
    authenticate: async (login) =>
      login.clID === CLIENT_ID && login.pw === PASSWORD
        ? { kind: 'accepted' }
        : { kind: 'refused', response: { results: [{ code: 2200 }] } },
    ...overrides,
    dispatch: async (command, session) => {
      seen.push(`${command.object}:${command.verb}`);
      if (overrides.dispatch !== undefined) return overrides.dispatch(command, session);
      return plainAnswer(command);
    },
  });
  const port = await server.listen(0);
  const client = (more: Partial<EppPoolOptions> = {}): EppPoolOptions => ({
    endpoint: { host: '127.0.0.1', port, servername: 'registry.test', ca: authority.ca },
    credentials: { clID: CLIENT_ID, pw: PASSWORD },
    profile: TEST_PROFILE,
    ...more,
  });
  return { server, port, authority, identity, client, seen };
}

type Dispatch = EppServerOptions['dispatch'];

export function plainAnswer(command: Parameters<Dispatch>[0]): Awaited<ReturnType<Dispatch>> {
  const ok = { code: 1000 };
  if (command.object === 'domain' && command.verb === 'check') {
    const items = command.names.map((id) => ({ id, available: true }));
    return { results: [ok], data: { object: 'domain', type: 'chkData', items } };
  }
  if (command.object === 'domain' && command.verb === 'create') {
    const crDate = new Date('2026-01-01T00:00:00Z');
    return { results: [ok], data: { object: 'domain', type: 'creData', name: command.name, crDate } };
  }
  if (command.object === 'poll') return { results: [{ code: 1300 }] };
  return { results: [ok] };
}
