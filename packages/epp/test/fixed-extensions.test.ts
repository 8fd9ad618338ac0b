import { expect, test } from 'vitest';
import { withFixed } from '../src/extension/fixed.ts';
import { createEppPool, loadSchemas, NAMESTORE, type RegistryProfile, writeCommand } from '../src/index.ts';
import { plainAnswer, TEST_PROFILE, testRegistry } from './support/registry.ts';

const uri = 'urn:x:extra';
const profile: RegistryProfile = {
  ...TEST_PROFILE,
  tlds: { 'co.id': {}, com: {}, net: {} },
  extensions: [
    NAMESTORE,
    {
      on: ['domain:create'],
      uri,
      element: 'create',
      attributes: { kind: '{tld}' },
      children: [
        { element: 'purpose', text: '{order.purpose}' },
        { element: 'name', text: 'of {name}' },
      ],
    },
    { on: ['domain:create'], uri, element: 'only', children: [{ element: 'missing', text: '{order.missing}' }] },
  ],
};
const create = { object: 'domain', verb: 'create', name: 'a.co.id', authInfo: { pw: 'abcdef12' } } as const;
const written = (request: Parameters<typeof withFixed>[0], order?: Record<string, string>) =>
  writeCommand(withFixed(request, profile, order), 'ID-1', profile.namespaces).replace(/ xmlns(:\w+)?="[^"]*"/g, '');

test('takes values from the name, the TLD and the order, and omits unknown ones', () => {
  const xml = written(create, { purpose: 'P1' });
  expect(xml).toMatch(/subProduct>dotCO\.ID</);
  expect(xml).toMatch(/create kind="co\.id">.*purpose>P1<.*name>of a\.co\.id</s);
  expect(xml).not.toContain('only');
  expect(written(create)).not.toContain('purpose');
  expect(written({ object: 'domain', verb: 'info', name: 'a.com' })).toMatch(/subProduct>dotCOM</);
  expect(written({ object: 'host', verb: 'info', name: 'ns1.a.net' })).toMatch(/subProduct>dotNET</);
  // A host outside every TLD counts to the first TLD of the registry.
  expect(written({ object: 'host', verb: 'info', name: 'ns1.a.org' })).toMatch(/subProduct>dotCO\.ID</);
  expect(written({ object: 'contact', verb: 'info', id: 'abc' })).not.toContain('subProduct');
});

test('applies an extension of some TLDs to these only, and other names still share a check', async () => {
  const some: RegistryProfile = { ...TEST_PROFILE, tlds: {}, extensions: [{ ...NAMESTORE, tlds: ['com'] }] };
  const carries = (request: Parameters<typeof withFixed>[0]) => withFixed(request, some).ext?.other?.length ?? 0;
  expect(carries({ object: 'domain', verb: 'info', name: 'a.com' })).toBe(1);
  expect(carries({ object: 'host', verb: 'info', name: 'ns1.a.com' })).toBe(1);
  expect(carries({ object: 'domain', verb: 'info', name: 'a.org' })).toBe(0);
  expect(carries({ object: 'host', verb: 'info', name: 'ns1.elsewhere.example' })).toBe(0);
  const checks: string[][] = [];
  const registry = await testRegistry({
    otherExtensionURIs: [NAMESTORE.uri],
    loadValidator: async () => () => [],
    async dispatch(command) {
      if (command.object === 'domain' && command.verb === 'check') checks.push([...command.names]);
      return plainAnswer(command);
    },
  });
  const pool = createEppPool(registry.client({ profile: some }));
  await Promise.all(['a.com', 'b.org', 'c.com', 'd.info'].map((name) => pool.checkName(name)));
  expect(checks.sort()).toEqual([
    ['a.com', 'c.com'],
    ['b.org', 'd.info'],
  ]);
  await pool.close();
  await registry.server.close();
});

test('announces it at login, sends it with every command, and splits checks by TLD', async () => {
  const checks: string[][] = [];
  const registry = await testRegistry({
    otherExtensionURIs: [NAMESTORE.uri, uri],
    loadValidator: async () => () => [],
    async dispatch(command, session) {
      expect(session.extURIs).toContain(NAMESTORE.uri);
      if (command.object !== 'domain' || command.verb !== 'check') return plainAnswer(command);
      checks.push([
        ...command.names,
        JSON.stringify(command.ext?.other?.[0]?.children).includes('dotCOM') ? 'COM' : 'NET',
      ]);
      return plainAnswer(command);
    },
  });
  const pool = createEppPool(registry.client({ profile: { ...TEST_PROFILE, extensions: [NAMESTORE] } }));
  await Promise.all(['a.com', 'b.net', 'c.com'].map((name) => pool.checkName(name)));
  expect(checks.sort()).toEqual([
    ['a.com', 'c.com', 'COM'],
    ['b.net', 'NET'],
  ]);
  await pool.close();
  await registry.server.close();
});

test('writes the reseller of a domain (RFC 8544) as a fixed extension, valid by its schema', async () => {
  const orgext = {
    on: ['domain:create'],
    uri: 'urn:ietf:params:xml:ns:epp:orgext-1.0',
    element: 'create',
    children: [{ element: 'id', attributes: { role: 'reseller' }, text: 'reseller-4711' }],
  };
  const request = withFixed(create, { ...profile, extensions: [orgext] });
  const xml = writeCommand(request, 'ID-1', profile.namespaces);
  expect(xml).toContain('reseller-4711');
  expect((await loadSchemas()).validator(Buffer.from(xml))).toEqual([]);
});
