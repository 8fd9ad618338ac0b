import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeContact, makeDomain, newDomain, newLabel, strongPw } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(() => registry.close());

const ds = { keyTag: 12345, alg: 13, digestType: 2, digest: 'AB'.repeat(32) };

test('returns health, statistics, and the state of a domain without its secrets', async () => {
  const name = await makeDomain(registry.us, `${newLabel()}.org`, { authInfo: { pw: strongPw } });
  expect(await registry.control('GET', '/healthz')).toMatchObject({ status: 'ok' });
  const stats = await registry.control<{ domains: number; answers: Record<string, Record<string, number>> }>(
    'GET',
    '/stats',
  );
  expect(stats.domains).toBeGreaterThan(1);
  expect(stats.answers['domain:create']?.['1000']).toBeGreaterThan(0);
  const state = await registry.control<Record<string, unknown>>('GET', `/domains/${name}`);
  expect(state).toMatchObject({
    name,
    sponsor: 'namehold',
    phase: 'active',
    rgp_statuses: ['addPeriod'],
    auth_info_set: true,
  });
  expect(JSON.stringify(state)).not.toContain(strongPw);
  await expect(registry.control('GET', '/domains/not-there-at-all.org')).rejects.toThrow('404');
});

test('returns the delegations of a zone with NS, glue and DS, without domains on hold or deleted', async () => {
  const { us } = registry;
  const contact = await makeContact(us);
  const name = `${newLabel('zone')}.org`;
  await us.done(newDomain(name, contact, { ext: { secDNS: { kind: 'ds', records: [ds] } } }));
  await us.done({
    object: 'host',
    verb: 'create',
    name: `ns.${name}`,
    addresses: [
      { address: '192.0.2.53', version: 'v4' },
      { address: '2001:db8::53', version: 'v6' },
    ],
  });
  const zone = () => registry.control<string>('GET', '/zones/org');
  expect(await zone()).not.toContain('192.0.2.53');
  await us.done({ object: 'domain', verb: 'update', name, add: { ns: { model: 'objects', hosts: [`ns.${name}`] } } });
  const text = await zone();
  for (const line of [
    '$ORIGIN org.',
    `${name}. IN NS ns1.namehold-dns.net.`,
    `${name}. IN NS ns.${name}.`,
    `${name}. IN DS 12345 13 2 ${'AB'.repeat(32)}`,
    `ns.${name}. IN A 192.0.2.53`,
    `ns.${name}. IN AAAA 2001:db8::53`,
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  await us.done({ object: 'domain', verb: 'update', name, add: { statuses: [{ value: 'clientHold' }] } });
  expect(await zone()).not.toContain(name);
  await us.done({ object: 'domain', verb: 'update', name, rem: { statuses: [{ value: 'clientHold' }] } });
  expect(await zone()).toContain(name);
  const fr = `${newLabel('zone')}.fr`;
  await us.done({
    ...newDomain(fr, contact),
    ns: {
      model: 'attributes',
      hosts: [
        { name: `ns.${fr}`, addresses: [{ address: '192.0.2.54', version: 'v4' }] },
        { name: 'ns.example.museum', addresses: [] },
      ],
    },
  });
  expect(await registry.control<string>('GET', '/zones/fr')).toContain(`ns.${fr}. IN A 192.0.2.54`);
  await expect(registry.control('GET', '/zones/museum')).rejects.toThrow('404');
});

test('changes domains without their registrar by tampering', async () => {
  const name = await makeDomain(registry.us, `${newLabel()}.org`);
  const thief = await makeContact(registry.otherRegistrar);
  const { data: before } = await registry.us.done({ object: 'domain', verb: 'info', name });
  await registry.control('POST', `/domains/${name}/tamper`, {
    name_servers: ['ns1.evil.museum', 'ns2.evil.museum'],
    add_statuses: ['serverHold'],
    registrant: thief,
    contact: { id: before.registrant, details: { email: 'changed@example.org' } },
  });
  const { data } = await registry.us.done({ object: 'domain', verb: 'info', name });
  expect(data.ns?.hosts).toEqual(['ns1.evil.museum', 'ns2.evil.museum']);
  expect(data.statuses).toEqual([{ value: 'serverHold' }]);
  expect(data.registrant).toBe(thief);
  expect(data.upDate).toEqual(before.upDate);
  const contact = await registry.us.done({ object: 'contact', verb: 'info', id: before.registrant as string });
  expect(contact.data.email).toBe('changed@example.org');
  await registry.control('POST', `/domains/${name}/tamper`, { sponsor: 'rival', rem_statuses: ['serverHold'] });
  expect(await registry.us.code({ object: 'domain', verb: 'delete', name })).toBe(2201);
  await expect(registry.control('POST', `/domains/${name}/tamper`, { nameservers: [] })).rejects.toThrow(
    'unknown field',
  );
});

test('sets and returns accounts, and refuses an invalid amount', async () => {
  await registry.control('POST', '/accounts/rival', { balance: '12.34', credit_limit: '5.00' });
  const { accounts } = await registry.control<{ accounts: object[] }>('GET', '/accounts');
  expect(accounts).toContainEqual(
    expect.objectContaining({ client_id: 'rival', balance: '12.34', credit_limit: '5.00' }),
  );
  await expect(registry.control('POST', '/accounts/rival', { balance: '1.234' })).rejects.toThrow('400');
  await expect(registry.control('POST', '/accounts/nobody', { balance: '1.00' })).rejects.toThrow('404');
});

test('moves the clock by the given time, and refuses an invalid move', async () => {
  const before = await registry.control<{ now: string; offset_ms: number }>('GET', '/clock');
  const after = await registry.control<{ now: string; offset_ms: number }>('POST', '/clock', { move: '+2h' });
  expect(after.offset_ms - before.offset_ms).toBe(7_200_000);
  await expect(registry.control('POST', '/clock', { move: 'soon' })).rejects.toThrow('400');
});

test('refuses requests from browsers and with foreign host names', async () => {
  const status = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ host: '127.0.0.1', port: registry.sandbox.controlPort, path: '/clock', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  expect(await status({})).toBe(200);
  expect(await status({ host: 'evil.example' })).toBe(403);
  expect(await status({ origin: 'https://evil.example' })).toBe(403);
  await expect(registry.control('GET', '/nothing')).rejects.toThrow('404');
  await expect(registry.control('DELETE', '/clock')).rejects.toThrow('405');
});
