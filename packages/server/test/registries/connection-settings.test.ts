import { createPrivateKey } from 'node:crypto';
import { IETF_NAMESPACES } from '@namehold/epp';
import { createEppServer, type EppServerOptions } from '@namehold/epp/server';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestAuthority, testAuthority } from '../../../epp/test/support/certificates.ts';
import { systemActor } from '../../src/core/actors.ts';
import { connectRegistry, type NewRegistry } from '../../src/core/registries/connect.ts';
import { findRegistry } from '../../src/core/registries/registry.sql.ts';
import { changeRegistryPassword } from '../../src/registries/password.ts';
import { readProfile } from '../../src/registries/read-profile.ts';
import { testConnection } from '../../src/registries/test-connection.ts';
import { PasswordTrials } from './password-trials.ts';

const id = 'sandbox';
let trials: PasswordTrials;
beforeAll(async () => {
  trials = await PasswordTrials.open();
});
afterAll(() => trials.close());
const change = (password?: string) => changeRegistryPassword(trials.t.ctx, systemActor, id, password);

describe('changing our password at a registry', () => {
  test('reads it from standard input, uses it from then on and never prints it', async () => {
    const start = await trials.before();
    const { code, output } = await trials.command(['--stdin'], [], 'Given.4711-by-hand\n').ended;
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('changed') });
    expect(output).not.toContain('Given.4711');
    expect(trials.truth()).toBe('Given.4711-by-hand');
    await trials.settled(start, { refused: 0, isChanged: true });
    expect(await trials.audited()).toEqual(['begun', 'changed']);
    const rows = await trials.t.ctx.db
      .as(allTenants)
      .many<{ text: string }>(sql`select audit::text as text from audit where action = 'registry.password'`);
    expect(JSON.stringify(rows)).not.toContain('Given.4711');
  });

  test('stores both passwords when killed before the answer, and the next login settles the change', async () => {
    const start = await trials.before();
    await trials.killWaiting('drop-after-commit');
    expect(await trials.secrets()).toMatchObject({ password: start.password, new_password: trials.truth() });
    await trials.settled(start, { refused: 0, isChanged: true });
  });

  test.each([
    ['stored, nothing sent', 'password:stored', 1],
    ['answered, not noted', 'password:answered', 0],
  ])(
    'stores both passwords when killed (%s), and the next login settles the change',
    async (_when, failpoint, refused) => {
      const start = await trials.before();
      const dies = (label: string) => {
        if (label === failpoint) throw new Error('died');
      };
      const dying = changeRegistryPassword({ ...trials.t.ctx, failpoint: dies }, systemActor, id);
      await expect(dying).rejects.toThrow('died');
      expect((await trials.secrets()).new_password).toMatch(/^.{16}$/);
      await trials.settled(start, { refused, isChanged: true });
    },
  );

  test.each([
    ['before', 'drop-before', 1],
    ['after', 'drop-after-commit', 0],
  ])('settles the change in the command when the connection is lost %s its execution', async (_when, kind, refused) => {
    const start = await trials.before();
    await trials.bothWork();
    await trials.harm(kind, 'close');
    await change();
    expect(await trials.secrets()).not.toHaveProperty('new_password');
    await trials.t.control('DELETE', '/faults');
    await trials.settled(start, { refused, isChanged: true });
  });

  test('creates a long password and sends it by loginSec if the profile requires it', async () => {
    const start = await trials.before();
    const say = (always: boolean) =>
      trials.t.ctx.db
        .autocommit(allTenants)
        .run(
          sql`update registry set profile = profile || ${JSON.stringify({ alwaysLoginSec: always })} where id = ${id}`,
        );
    await say(true);
    await change();
    expect(trials.truth()).toHaveLength(40);
    await trials.settled(start, { refused: 0, isChanged: true });
    await say(false);
  });

  test('keeps and reports the password when the registry refuses the new one or it is invalid', async () => {
    const start = await trials.before();
    await expect(change('sevenof')).rejects.toThrow(/refused the change\. The password is unchanged: .*2306/);
    await expect(change('a  b c d e f')).rejects.toThrow(/^password: Must be printable/);
    await expect(change(start.password)).rejects.toThrow(/already in use/);
    await trials.settled(start, { refused: 0, isChanged: false });
    expect((await trials.audited()).slice(-2)).toEqual(['begun', 'refused']);
  });

  test('causes no permanent refusal when repeated while two services log in', async () => {
    const start = await trials.before();
    let isOver = false;
    const logins = [trials.t, trials.other].map(async (service) => {
      for (let round = 0; round < 200 && !isOver; round += 1) await trials.works(service);
    });
    for (let round = 0; round < 4; round += 1) await change();
    isOver = true;
    await Promise.all(logins);
    await trials.settled(start, { isChanged: true });
  });
});

/** A registry for each connection setting, over real TLS. */
describe('connection settings of a registry', () => {
  let authority: TestAuthority;
  beforeAll(async () => {
    authority = await testAuthority();
  });
  const peers: string[] = [];

  async function registryWith(tls: Partial<EppServerOptions['tls']>) {
    const identity = await authority.issue('registry.test');
    const server = createEppServer({
      tls: { key: identity.key, cert: identity.cert, ...tls },
      namespaces: IETF_NAMESPACES,
      svID: 'Elsewhere',
      authenticate: async (_login, { peer }) => {
        peers.push(peer.address);
        return { kind: 'accepted' };
      },
      dispatch: async ({ object }) =>
        object === 'poll' ? { results: [{ code: 1300 }] } : { results: [{ code: 2303 }] },
    });
    return { port: await server.listen(0), pin: identity.pin, server };
  }

  /** The result of `registry test`. */
  async function found(port: number, way: Partial<NewRegistry>): Promise<string> {
    const { ctx } = trials.t;
    await connectRegistry(ctx, {
      id: 'elsewhere',
      profile: readProfile('{"limits":{"commandsPerSecond":1000}}', 'elsewhere') as unknown as NewRegistry['profile'],
      host: '127.0.0.1',
      port,
      serverName: 'registry.test',
      caPem: authority.ca,
      clientId: 'us',
      password: 'a-password',
      tlds: [],
      ...way,
    });
    const { findings } = await testConnection(ctx, 'elsewhere');
    return findings.join('\n');
  }

  test('uses a client key with a passphrase, and refuses a wrong passphrase', async () => {
    const client = await authority.issue('client.test');
    const there = await registryWith({ clientCa: authority.ca, requireClientCert: true });
    const passphrase = 'open sesame';
    const keyPem = createPrivateKey(client.key)
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
      .toString();
    const way = { certificatePem: client.cert, keyPem };
    await expect(found(there.port, way)).rejects.toThrow('key: Must be a private key in PEM');
    await expect(found(there.port, { ...way, keyPassphrase: 'wrong' })).rejects.toThrow(
      'keyPassphrase: The passphrase does not decrypt',
    );
    expect(await found(there.port, {})).toMatch(/connect-failed|greeting-failed/);
    expect(await found(there.port, { ...way, keyPassphrase: passphrase })).toContain('calls itself Elsewhere');
    const row = (await findRegistry(trials.t.ctx.db.as(allTenants), 'elsewhere'))!;
    expect(JSON.stringify(row)).not.toContain(passphrase);
    await there.server.close();
  });

  test('accepts only the pinned server key', async () => {
    const there = await registryWith({});
    const { pin: another } = await authority.issue('registry.test');
    expect(await found(there.port, { pins: [another] })).toContain(
      `the server's public key is not pinned: it is ${there.pin}`,
    );
    expect(await found(there.port, { pins: [another, there.pin] })).toContain('calls itself Elsewhere');
    await expect(found(there.port, { pins: ['00:11'] })).rejects.toThrow('pins: must be the SHA-256 of a public key');
    // A client that disconnects during the handshake is awaited there.
    void there.server.close();
  });

  test('connects from the configured source address', async () => {
    const there = await registryWith({});
    peers.length = 0;
    await found(there.port, {});
    await found(there.port, { sourceAddress: '127.0.0.9' });
    expect(peers).toEqual(['127.0.0.1', '127.0.0.9']);
    await expect(found(there.port, { sourceAddress: 'here' })).rejects.toThrow('sourceAddress: must be an IP address');
    await expect(found(there.port, { sourceAddress: '192.0.2.7' })).rejects.toThrow(
      'sourceAddress: This is not an address of this machine: 192.0.2.7.',
    );
    await there.server.close();
  });

  test('connects with the configured ciphers, and refuses unknown ones', async () => {
    const ciphers = 'TLS_AES_128_CCM_SHA256';
    const there = await registryWith({ ciphers });
    expect(await found(there.port, {})).toContain('connect-failed');
    expect(await found(there.port, { ciphers })).toContain('calls itself Elsewhere');
    await expect(found(there.port, { ciphers: 'a b' })).rejects.toThrow('ciphers: must be a list');
    await expect(found(there.port, { ciphers: 'NONSENSE' })).rejects.toThrow(
      'ciphers: No cipher in this list is known',
    );
    await there.server.close();
  });
});
