import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeContact, makeDomain, newDomain, newLabel } from './support/objects.ts';
import { codeOf, openSession, type RawClient } from './support/raw.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let raw: RawClient;
beforeAll(async () => {
  registry = await startTestRegistry();
  raw = await openSession(registry.sandbox);
});
afterAll(async () => {
  raw.close();
  await registry.close();
});

let name: string;
beforeEach(async () => {
  name = await makeDomain(registry.us, `${newLabel()}.org`);
});
const update = (change: object) => ({ object: 'domain', verb: 'update', name, ...change }) as const;
const code = (change: object) => registry.us.code(update(change));
const info = async () => (await registry.us.done({ object: 'domain', verb: 'info', name })).data;
const status = (...values: string[]) => ({ statuses: values.map((value) => ({ value })) });

describe('statuses', () => {
  test('sets and removes client statuses, and never combines ok', async () => {
    expect(await code({ add: status('clientHold', 'clientTransferProhibited') })).toBe(1000);
    expect((await info()).statuses.map((each) => each.value).sort()).toEqual([
      'clientHold',
      'clientTransferProhibited',
    ]);
    expect(await code({ add: status('clientHold') })).toBe(2306);
    expect(await code({ rem: status('clientHold', 'clientTransferProhibited') })).toBe(1000);
    expect((await info()).statuses).toEqual([{ value: 'ok' }]);
    expect(await code({ rem: status('clientHold') })).toBe(2306);
  });

  test.each(['serverHold', 'serverUpdateProhibited', 'ok', 'inactive', 'pendingDelete', 'pendingTransfer'])(
    '%s is refused, because it belongs to the registry',
    async (value) => {
      expect(await code({ add: status(value) })).toBe(2306);
    },
  );

  test('allow only the removal of clientUpdateProhibited while it is set', async () => {
    await registry.us.done(update({ add: status('clientUpdateProhibited', 'clientDeleteProhibited') }));
    expect(await code({ add: status('clientHold') })).toBe(2304);
    expect(await code({ rem: status('clientDeleteProhibited') })).toBe(2304);
    expect(await code({ rem: status('clientUpdateProhibited'), add: status('clientHold') })).toBe(2304);
    expect(await code({ rem: status('clientUpdateProhibited', 'clientDeleteProhibited') })).toBe(1000);
  });

  test('are refused to other registrars and for missing objects', async () => {
    expect(await registry.otherRegistrar.code(update({ add: status('clientHold') }))).toBe(2201);
    expect(
      await registry.us.code({
        object: 'domain',
        verb: 'update',
        name: `${newLabel()}.org`,
        add: status('clientHold'),
      }),
    ).toBe(2303);
    expect(codeOf(await raw.send(update({})))).toBe(2003);
  });
});

describe('nameservers and contacts', () => {
  test('are added and removed; a domain without nameservers is inactive', async () => {
    await registry.us.done({
      object: 'host',
      verb: 'create',
      name: `ns.${name}`,
      addresses: [{ address: '192.0.2.1', version: 'v4' }],
    });
    const objects = (...hosts: string[]) => ({ ns: { model: 'objects', hosts } });
    expect(await code({ add: objects(`ns.${name}`), rem: objects('ns1.namehold-dns.net') })).toBe(1000);
    expect((await info()).ns?.hosts).toEqual([`ns.${name}`, 'ns2.namehold-dns.net'].sort());
    expect(await code({ add: objects(`ns.${name}`) })).toBe(2302);
    expect(await code({ rem: objects('ns1.namehold-dns.net') })).toBe(2303);
    expect(await code({ add: objects('ns.nowhere.museum') })).toBe(2303);
    expect(await code({ rem: objects(`ns.${name}`, 'ns2.namehold-dns.net') })).toBe(1000);
    expect((await info()).statuses).toEqual([{ value: 'inactive' }]);
  });

  test('are refused as host attributes under the object model, and beyond thirteen nameservers', async () => {
    const attributes = { model: 'attributes', hosts: [{ name: 'ns.example.museum', addresses: [] }] };
    expect(codeOf(await raw.send(update({ add: { ns: attributes } })))).toBe(2306);
    const hosts = Array.from({ length: 14 }, (_, at) => `ns${at}.many.museum`);
    for (const host of hosts) await registry.us.done({ object: 'host', verb: 'create', name: host });
    expect(codeOf(await raw.send(update({ add: { ns: { model: 'objects', hosts: hosts.slice(0, 12) } } })))).toBe(2306);
  });

  test('are replaced but not removed if required', async () => {
    const other = await makeContact(registry.us);
    const { registrant } = await info();
    const admin = (id: string | undefined) => ({ contacts: [{ type: 'admin', id }] });
    expect(await code({ rem: admin(registrant) })).toBe(2003);
    expect(await code({ add: admin(other), rem: admin(registrant) })).toBe(1000);
    expect((await info()).contacts).toContainEqual({ type: 'admin', id: other });
    expect(await code({ add: admin('never-there') })).toBe(2303);
    expect(await code({ add: admin(other) })).toBe(2302);
    expect(await code({ chg: { registrant: other } })).toBe(1000);
    expect((await info()).registrant).toBe(other);
    expect(await code({ chg: { registrant: 'never-there' } })).toBe(2303);
  });
});

describe('DS', () => {
  const ds = (keyTag: number, more = {}) => ({ keyTag, alg: 13, digestType: 2, digest: 'AB'.repeat(32), ...more });
  const secDNS = (update: object) => ({ ext: { secDNS: update } });
  const add = (...records: object[]) => secDNS({ add: { kind: 'ds', records } });
  const tags = async () => {
    const answer = await registry.us.done({ object: 'domain', verb: 'info', name });
    return answer.ext.secDNS?.kind === 'ds' ? answer.ext.secDNS.records.map((record) => record.keyTag) : [];
  };

  test('records are added, removed, replaced and cleared', async () => {
    expect(await code(add(ds(1), ds(2)))).toBe(1000);
    expect(await tags()).toEqual([1, 2]);
    expect(await code(add(ds(1)))).toBe(2302);
    expect(await code(secDNS({ rem: { kind: 'ds', records: [ds(1)] }, add: { kind: 'ds', records: [ds(3)] } }))).toBe(
      1000,
    );
    expect(await tags()).toEqual([2, 3]);
    expect(await code(secDNS({ rem: { kind: 'ds', records: [ds(9)] } }))).toBe(2303);
    expect(await code(secDNS({ rem: { kind: 'all' }, add: { kind: 'ds', records: [ds(4)] } }))).toBe(1000);
    expect(await tags()).toEqual([4]);
    expect(await code(secDNS({ rem: { kind: 'all' } }))).toBe(1000);
    expect(await tags()).toEqual([]);
  });

  test('records are accepted in a create, and refused if invalid', async () => {
    const contact = await makeContact(registry.us);
    const fresh = `${newLabel()}.org`;
    await registry.us.done(newDomain(fresh, contact, { ext: { secDNS: { kind: 'ds', records: [ds(7)] } } }));
    name = fresh;
    expect(await tags()).toEqual([7]);
    const refused = async (record: object) =>
      codeOf(
        await raw.send(
          newDomain(`${newLabel()}.org`, contact, { ext: { secDNS: { kind: 'ds', records: [record as never] } } }),
        ),
      );
    expect(await refused(ds(1, { alg: 1 }))).toBe(2306);
    expect(await refused(ds(1, { digestType: 9 }))).toBe(2306);
    expect(await refused(ds(1, { digest: 'ABCD' }))).toBe(2005);
    expect(codeOf(await raw.send(update(add(...Array.from({ length: 9 }, (_, at) => ds(at))))))).toBe(2306);
  });

  test('key data, urgent and maxSigLife are refused', async () => {
    const key = { flags: 257, protocol: 3, alg: 13, pubKey: 'AQPJ' };
    expect(codeOf(await raw.send(update(secDNS({ add: { kind: 'key', records: [key] } }))))).toBe(2306);
    expect(codeOf(await raw.send(update(secDNS({ urgent: true, add: { kind: 'ds', records: [ds(1)] } }))))).toBe(2102);
    expect(codeOf(await raw.send(update(secDNS({ maxSigLifeSeconds: 3600 }))))).toBe(2102);
  });
});
