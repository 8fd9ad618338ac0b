import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeContact, makeDomain, newDomain, newLabel } from './support/objects.ts';
import { codeOf, openSession, type RawClient } from './support/raw.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let raw: RawClient;
let ours: string;
let theirs: string;
beforeAll(async () => {
  registry = await startTestRegistry();
  raw = await openSession(registry.sandbox);
  ours = await makeDomain(registry.us, `${newLabel('ours')}.org`);
  theirs = await makeDomain(registry.otherRegistrar, `${newLabel('theirs')}.org`);
});
afterAll(async () => {
  raw.close();
  await registry.close();
});

const v4 = (address: string) => ({ address, version: 'v4' }) as const;
const v6 = (address: string) => ({ address, version: 'v6' }) as const;
const create = (name: string, addresses: ReturnType<typeof v4 | typeof v6>[] = []) =>
  ({ object: 'host', verb: 'create', name, addresses }) as const;
const rename = (name: string, newName: string, more = {}) =>
  ({ object: 'host', verb: 'update', name, newName, ...more }) as const;

test('requires addresses for subordinate hosts, and refuses them for others', async () => {
  expect(await registry.us.code(create(`ns1.${ours}`))).toBe(2003);
  expect(await registry.us.code(create(`ns1.${theirs}`, [v4('192.0.2.1')]))).toBe(2201);
  expect(await registry.us.code(create(`ns1.${newLabel()}.org`, [v4('192.0.2.1')]))).toBe(2303);
  expect(await registry.us.code(create('ns1.example.museum', [v4('192.0.2.1')]))).toBe(2306);
  expect(await registry.us.code(create('ns1.example.museum'))).toBe(1000);
  expect(await registry.us.code(create('NS1.Example.Museum'))).toBe(2302);
  expect(await registry.us.code(create(`ns1.${ours}`, [v4('192.0.2.1'), v6('2001:DB8:0:0::1')]))).toBe(1000);
  const { data } = await registry.otherRegistrar.done({ object: 'host', verb: 'info', name: `ns1.${ours}` });
  expect(data).toMatchObject({
    clID: 'namehold',
    addresses: [v4('192.0.2.1'), v6('2001:db8::1')],
    statuses: [{ value: 'ok' }],
  });
});

test('refuses invalid names and addresses', async () => {
  expect(codeOf(await raw.send(create('bad_host.example.org')))).toBe(2005);
  expect(codeOf(await raw.send(create('-ns.example.org')))).toBe(2005);
  expect(codeOf(await raw.send(create(`ns5.${ours}`, [v4('192.0.2.300')])))).toBe(2005);
  expect(codeOf(await raw.send(create(`ns5.${ours}`, [v6('192.0.2.3')])))).toBe(2005);
  expect(codeOf(await raw.send(create(`ns5.${ours}`, [v6('2001:db8::g')])))).toBe(2005);
});

test('removes an address in any spelling', async () => {
  const name = `ns9.${ours}`;
  const update = (change: object) => registry.us.code({ object: 'host', verb: 'update', name, ...change });
  expect(await registry.us.code(create(name, [v4('192.0.2.1'), v6('::FFFF:192.0.2.9')]))).toBe(1000);
  expect(await update({ add: { addresses: [v6('::ffff:c000:209')] } })).toBe(2302);
  expect(await update({ rem: { addresses: [v6('::ffff:192.0.2.9')] } })).toBe(1000);
  const { data } = await registry.us.done({ object: 'host', verb: 'info', name });
  expect(data).toMatchObject({ addresses: [v4('192.0.2.1')] });
});

test('reports existing and available hosts in a check, and refuses invalid names', async () => {
  await registry.us.done(create('ns7.example.museum'));
  const answer = await raw.send({
    object: 'host',
    verb: 'check',
    names: ['ns7.example.museum', 'ns8.example.museum', 'a_b.example'],
  });
  expect(answer.data).toMatchObject({ items: [{ available: false }, { available: true }, { available: false }] });
});

test('allows only the sponsor to change addresses and statuses', async () => {
  const name = `ns2.${ours}`;
  await registry.us.done(create(name, [v4('192.0.2.2')]));
  const update = (add: object, rem: object = {}) => ({ object: 'host', verb: 'update', name, add, rem }) as const;
  expect(await registry.otherRegistrar.code(update({ addresses: [v4('192.0.2.66')] }, undefined))).toBe(2201);
  await registry.us.done({
    object: 'host',
    verb: 'update',
    name,
    add: { addresses: [v6('2001:db8::2')] },
    rem: { addresses: [v4('192.0.2.2')] },
  });
  const { data } = await registry.us.done({ object: 'host', verb: 'info', name });
  expect(data.addresses).toEqual([v6('2001:db8::2')]);
  expect(await registry.us.code({ object: 'host', verb: 'update', name, rem: { addresses: [v4('192.0.2.2')] } })).toBe(
    2303,
  );
  expect(
    await registry.us.code({ object: 'host', verb: 'update', name, rem: { addresses: [v6('2001:db8::2')] } }),
  ).toBe(2003);
  expect(
    await registry.us.code({
      object: 'host',
      verb: 'update',
      name,
      add: { statuses: [{ value: 'serverUpdateProhibited' }] },
    }),
  ).toBe(2306);
  expect(
    await registry.us.code({
      object: 'host',
      verb: 'update',
      name,
      add: { statuses: [{ value: 'clientUpdateProhibited' }] },
    }),
  ).toBe(1000);
  expect(await registry.us.code({ object: 'host', verb: 'update', name, add: { addresses: [v4('192.0.2.3')] } })).toBe(
    2304,
  );
});

test('refuses to delete a linked host, and updates the delegation after a rename', async () => {
  const host = `ns3.${ours}`;
  await registry.us.done(create(host, [v4('192.0.2.3')]));
  const name = `${newLabel()}.org`;
  await registry.us.done(newDomain(name, await makeContact(registry.us), { ns: { model: 'objects', hosts: [host] } }));
  expect(await registry.us.code({ object: 'host', verb: 'delete', name: host })).toBe(2305);
  expect((await registry.us.done({ object: 'host', verb: 'info', name: host })).data.statuses).toEqual([
    { value: 'ok' },
    { value: 'linked' },
  ]);
  expect(codeOf(await raw.send(rename(host, 'bad_host.example.org')))).toBe(2005);
  expect(await registry.us.code(rename(host, `ns.${newLabel()}.org`))).toBe(2303);
  expect(await registry.us.code(rename(host, `ns.${theirs}`))).toBe(2201);
  expect(await registry.us.code(rename(host, 'ns1.namehold-dns.net'))).toBe(2201);
  expect(await registry.us.code(rename(host, 'ns9.example.museum'))).toBe(2306);
  await registry.us.done(rename(host, 'ns9.example.museum', { rem: { addresses: [v4('192.0.2.3')] } }));
  const { data } = await registry.us.done({ object: 'domain', verb: 'info', name });
  expect(data.ns).toEqual({ model: 'objects', hosts: ['ns9.example.museum'] });
  await registry.us.done(rename('ns9.example.museum', `ns4.${ours}`, { add: { addresses: [v4('192.0.2.4')] } }));
  expect((await registry.us.done({ object: 'domain', verb: 'info', name: ours })).data.hosts).toContain(`ns4.${ours}`);
});

test("does not allow registrars to delete the registry's default nameservers", async () => {
  expect(await registry.us.code({ object: 'host', verb: 'delete', name: 'ns1.namehold-dns.net' })).toBe(2201);
  expect(await registry.us.code({ object: 'domain', verb: 'delete', name: 'namehold-dns.net' })).toBe(2201);
});
