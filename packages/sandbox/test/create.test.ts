import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeContact, makeDomain, newDomain, newLabel } from './support/objects.ts';
import { openSession } from './support/raw.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(() => registry.close());

test('creates a domain, charges it and returns it completely in an info', async () => {
  const { us } = registry;
  const contact = await makeContact(us);
  const name = `${newLabel()}.org`;
  const created = await us.done(newDomain(name, contact, { period: { value: 2, unit: 'y' } }));
  expect(created.code).toBe(1000);
  expect(created.data).toMatchObject({
    name,
    crDate: new Date('2026-03-01T12:00:00Z'),
    exDate: new Date('2028-03-01T12:00:00Z'),
  });
  const info = await us.done({ object: 'domain', verb: 'info', name });
  expect(info.data).toMatchObject({
    name,
    registrant: contact,
    statuses: [{ value: 'ok' }],
    clID: 'namehold',
    crID: 'namehold',
    ns: { model: 'objects', hosts: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'] },
    contacts: [
      { type: 'admin', id: contact },
      { type: 'tech', id: contact },
    ],
  });
  expect(info.ext.rgp?.statuses).toEqual([{ value: 'addPeriod' }]);
  const statement = await registry.control<{ entries: { domain: string; amount: string; years: number }[] }>(
    'GET',
    `/statement?client=namehold&domain=${name}`,
  );
  expect(statement.entries).toMatchObject([
    { domain: name, amount: '21.48', years: 2, kind: 'charge', command: 'create' },
  ]);
});

test('distinguishes taken, available, reserved, invalid and foreign names in a check', async () => {
  const taken = await makeDomain(registry.us, `${newLabel()}.org`);
  const names = [taken, `${newLabel()}.org`, 'nic.org', 'bad_name.org', 'example.museum', '-a.org', 'a.b.org'];
  const raw = await openSession(registry.sandbox);
  const { data } = await raw.send({ object: 'domain', verb: 'check', names });
  raw.close();
  if (data?.object !== 'domain' || data.type !== 'chkData') throw new Error('no answer to the check');
  expect(data.items.map((item) => item.available)).toEqual([false, true, false, false, false, false, false]);
  expect(data.items[0]).toMatchObject({ reason: 'In use' });
});
