import type { ContactCreateRequest } from '@namehold/epp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeContact, makeDomain, newContact, newDomain, newLabel, strongPw } from './support/objects.ts';
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

let counter = 0;
const next = () => newContact(`ct-${counter++}`);
const withAddress = (addr: object): ContactCreateRequest => {
  const contact = next();
  const [postal] = contact.postal;
  return { ...contact, postal: [{ ...postal, addr: { ...postal?.addr, ...addr } }] } as ContactCreateRequest;
};

test('returns a contact in an info as created, in both forms', async () => {
  const contact: ContactCreateRequest = {
    ...next(),
    postal: [
      {
        type: 'int',
        name: 'Jurgen Example',
        addr: { street: ['Weg 1', '2. Stock'], city: 'Koeln', pc: '50667', cc: 'DE' },
      },
      {
        type: 'loc',
        name: 'Jürgen Beispiel',
        addr: { street: ['Weg 1'], city: 'Köln', sp: 'NRW', pc: '50667', cc: 'DE' },
      },
    ],
    voice: { number: '+49.221123456', extension: '12' },
    fax: { number: '+49.221123457' },
    disclose: { flag: false, email: true, voice: true },
  };
  await registry.us.done(contact);
  const { data } = await registry.us.done({ object: 'contact', verb: 'info', id: contact.id });
  const { object: _o, verb: _v, authInfo: _a, ...sent } = contact;
  expect(data).toMatchObject({ ...sent, statuses: [{ value: 'ok' }], clID: 'namehold' });
});

test.each([
  ['unknown country', withAddress({ cc: 'XX' }), 2005],
  ['lower-case country', withAddress({ cc: 'gb' }), 2005],
  ['empty city', withAddress({ city: ' ' }), 2003],
  ['non-ASCII int form', withAddress({ city: 'Köln' }), 2005],
  ['email address without a host', { ...next(), email: 'ada@' }, 2005],
  ['email address with two @', { ...next(), email: 'a@b@example.org' }, 2005],
  ['phone number without a country code', { ...next(), voice: { number: '02071234567' } }, 2001],
  ['too short an id', { ...next(), id: 'ab' }, 2001],
  ['id with spaces', { ...next(), id: 'a b c' }, 2005],
  ['duplicate form', { ...next(), postal: [...next().postal, ...next().postal] }, 2306],
  ['weak authInfo', { ...next(), authInfo: { pw: '123' } }, 2306],
] as const)('refuses a create with its code: %s', async (_, request, code) => {
  expect(codeOf(await raw.send(request as ContactCreateRequest))).toBe(code);
});

test('reports an existing id as unavailable in a check, and refuses a second create', async () => {
  const id = await makeContact(registry.us);
  const { data } = await registry.us.done({ object: 'contact', verb: 'check', ids: [id, 'never-there'] });
  expect(data.items).toMatchObject([
    { id, available: false },
    { id: 'never-there', available: true },
  ]);
  expect(await registry.us.code(newContact(id))).toBe(2302);
});

test('refuses another registrar the info without authInfo, and changes', async () => {
  const id = await makeContact(registry.us);
  expect(await registry.otherRegistrar.code({ object: 'contact', verb: 'info', id })).toBe(2201);
  expect(
    await registry.otherRegistrar.code({ object: 'contact', verb: 'update', id, chg: { email: 'x@example.org' } }),
  ).toBe(2201);
  expect(await registry.otherRegistrar.code({ object: 'contact', verb: 'delete', id })).toBe(2201);
  await registry.us.done({ object: 'contact', verb: 'update', id, chg: { authInfo: { pw: strongPw } } });
  expect(await registry.otherRegistrar.code({ object: 'contact', verb: 'info', id, authInfo: { pw: strongPw } })).toBe(
    1000,
  );
  expect(
    await registry.otherRegistrar.code({ object: 'contact', verb: 'info', id, authInfo: { pw: 'something-else' } }),
  ).toBe(2202);
});

test('changes the named parts in an update, adds a local form and removes a number', async () => {
  const id = await makeContact(registry.us);
  await registry.us.done({
    object: 'contact',
    verb: 'update',
    id,
    addStatuses: [{ value: 'clientDeleteProhibited' }],
    chg: {
      email: 'new@example.org',
      voice: { number: '' },
      postal: [
        { type: 'loc', name: 'Ada Beispiel', addr: { street: ['Straße 2'], city: 'Wien', pc: '1010', cc: 'AT' } },
      ],
    },
  });
  const { data } = await registry.us.done({ object: 'contact', verb: 'info', id });
  expect(data.email).toBe('new@example.org');
  expect(data.voice).toBeUndefined();
  expect(data.postal.map((postal) => postal.type).sort()).toEqual(['int', 'loc']);
  expect(data.statuses).toEqual([{ value: 'clientDeleteProhibited' }]);
  expect(data.upID).toBe('namehold');
  expect(await registry.us.code({ object: 'contact', verb: 'delete', id })).toBe(2304);
});

test("refuses registrars the registry's statuses, and supports prohibited updates", async () => {
  const id = await makeContact(registry.us);
  const status = (value: string, what: 'addStatuses' | 'remStatuses') =>
    registry.us.code({ object: 'contact', verb: 'update', id, [what]: [{ value }] });
  expect(await status('serverUpdateProhibited', 'addStatuses')).toBe(2306);
  expect(await status('linked', 'addStatuses')).toBe(2306);
  expect(await status('clientUpdateProhibited', 'remStatuses')).toBe(2306);
  expect(await status('clientUpdateProhibited', 'addStatuses')).toBe(1000);
  expect(await registry.us.code({ object: 'contact', verb: 'update', id, chg: { email: 'x@example.org' } })).toBe(2304);
  expect(await status('clientUpdateProhibited', 'remStatuses')).toBe(1000);
});

test('refuses to delete a linked contact, and deletes an unlinked one', async () => {
  const id = await makeContact(registry.us);
  const name = `${newLabel()}.org`;
  await registry.us.done(newDomain(name, id));
  expect(await registry.us.code({ object: 'contact', verb: 'delete', id })).toBe(2305);
  const { data } = await registry.us.done({ object: 'contact', verb: 'info', id });
  expect(data.statuses).toEqual([{ value: 'ok' }, { value: 'linked' }]);
  await registry.us.done({ object: 'domain', verb: 'delete', name });
  expect(await registry.us.code({ object: 'contact', verb: 'delete', id })).toBe(1000);
  expect(await registry.us.code({ object: 'contact', verb: 'info', id })).toBe(2303);
  expect(await makeDomain(registry.us, name)).toBe(name);
});
