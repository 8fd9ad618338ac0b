import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { connectRegistry } from '../../src/core/registries/connect.ts';
import { loadCatalogue, readCatalogue, usualRules } from '../../src/core/tlds/load.ts';
import { readProfile } from '../../src/registries/read-profile.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
  await connect('own', ['com', 'shop']);
});
afterAll(() => t.stop());

const connect = (id: string, tlds: string[], confirmsTlds = false) =>
  connectRegistry(t.ctx, {
    id,
    profile: readProfile('{}', id) as unknown as Parameters<typeof connectRegistry>[1]['profile'],
    host: 'localhost',
    port: 700,
    clientId: 'us',
    password: 'secret',
    tlds,
    confirmsTlds,
  });

const file = JSON.stringify([
  { name: '.COM' },
  { name: 'shop', rules: { premium_names: true, periods: { max_years: 5 } } },
]);

test('loads a file as the catalogue, ignores a repetition, and stops offering omitted TLDs', async () => {
  expect(await loadCatalogue(t.ctx, file, 'file')).toMatchObject({ changed: 2 });
  expect(await loadCatalogue(t.ctx, file, 'file')).toEqual({ version: undefined, changed: 0 });
  const shop = await t.call('GET', '/v1/tlds/shop');
  expect(shop.status).toBe(200);
  expect(JSON.stringify(shop.body)).toContain('"max_years":5');
  expect(Object.keys((await t.call('GET', '/v1/tlds')).body)).toEqual(['com', 'shop']);
  await loadCatalogue(t.ctx, JSON.stringify([{ name: 'com' }]), 'file');
  expect(Object.keys((await t.call('GET', '/v1/tlds')).body)).toEqual(['com']);
  const { n } = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`select count(*) as n from tld`);
  expect(n).toBe('2');
});

const fields = {
  name: 'co',
  carrier: 'contact',
  namespace: 'urn:x',
  elements: { create: 'create' },
  mapping: [{ field: 'co_x', path: 'x' }],
  schema: { type: 'object', properties: { co_x: { type: 'string' } } },
};
const stated = (change: object | number) => [
  { name: 'com', rules: { extra_schema: typeof change === 'number' ? change : { ...fields, ...change } } },
];
const schema = (change: object) => stated({ schema: { ...fields.schema, ...change } });

describe('an invalid catalogue file', () => {
  const bad: [string, unknown, string][] = [
    ['not a list', {}, 'catalogue'],
    ['a missing name', [{}], '0.name'],
    ['an unknown field', [{ name: 'com', price: 1 }], '0.price'],
    ['an unknown rule', [{ name: 'com', rules: { colour: 'red' } }], 'rules.colour'],
    ['an unknown nested rule', [{ name: 'com', rules: { periods: { days: 3 } } }], 'rules.periods.days'],
    ['a text for a number', [{ name: 'com', rules: { periods: { max_years: '10' } } }], 'rules.periods.max_years'],
    ['a number for an object', [{ name: 'com', rules: { names: 3 } }], 'rules.names'],
    ['a text for a list', [{ name: 'com', rules: { contacts: { required: 'admin' } } }], 'rules.contacts.required'],
    ['an unknown host model', [{ name: 'com', rules: { nameservers: { host_model: 'nonsense' } } }], 'host_model'],
    ['fewer than one year', [{ name: 'com', rules: { periods: { max_years: -3 } } }], 'rules.periods.max_years'],
    ['a maximum below the minimum', [{ name: 'com', rules: { nameservers: { min: 5, max: 2 } } }], 'nameservers.min'],
    ['an unknown role', [{ name: 'com', rules: { contacts: { required: ['owner'] } } }], 'contacts.required.0'],
    ['a text for a boolean', [{ name: 'com', is_offered: 'maybe' }], '0.is_offered'],
    ['an extension by a number', stated(3), 'rules.extra_schema'],
    ['an unknown part of stated fields', stated({ colour: 1 }), 'rules.extra_schema.colour'],
    ['an unknown carrier', stated({ carrier: 'host' }), 'rules.extra_schema.carrier'],
    ['an invalid element path', stated({ elements: { create: 'a//b' } }), 'rules.extra_schema.elements.create'],
    ['an attribute before an element', stated({ mapping: [{ field: 'co_x', path: '@a/b' }] }), 'mapping.0.path'],
    ['a field without a mapping', stated({ mapping: [] }), '0.rules.extra_schema.mapping'],
    [
      'a mapping without a field',
      stated({ mapping: [...fields.mapping, { field: 'co_y', path: 'y' }] }),
      'mapping.1.field',
    ],
    ['a field without the prefix', schema({ properties: { x_x: { type: 'string' } } }), 'schema.properties.x_x'],
    ['a reserved name', schema({ properties: { co_contact_id: { type: 'string' } } }), 'properties.co_contact_id'],
    ['a field that is no text', schema({ properties: { co_x: { type: 'number' } } }), 'schema.properties.co_x.type'],
    ['an invalid keyword', schema({ properties: { co_x: { type: 'string', maxLength: '9' } } }), 'co_x.maxLength'],
    ['an invalid expression', schema({ properties: { co_x: { type: 'string', pattern: '(' } } }), 'co_x.pattern'],
    ['an unknown required field', schema({ required: ['co_z'] }), 'rules.extra_schema.schema.required.0'],
    ['an invalid condition', schema({ allOf: [{ if: 3 }] }), 'rules.extra_schema.schema.allOf.0.if'],
    ['an inherited object key', [{ name: 'com', rules: { constructor: 1 } }], 'rules.constructor'],
  ];
  test.each(bad)('is refused with the path of the error: %s', (_name, value, field) => {
    expect(() => readCatalogue(JSON.stringify(value))).toThrow(field);
  });
  test('is refused when it is not JSON', () => expect(() => readCatalogue('{')).toThrow('not JSON'));
  test('is refused when no registry serves the TLD', async () => {
    await expect(loadCatalogue(t.ctx, JSON.stringify([{ name: 'org' }]), 'file')).rejects.toThrow(
      'No connected registry serves this TLD',
    );
  });
  test('is refused when the named registry does not exist or does not serve the TLD', async () => {
    const file = JSON.stringify([{ name: 'com', registry: 'nowhere' }]);
    await expect(loadCatalogue(t.ctx, file, 'file')).rejects.toThrow('Registry nowhere does not serve this TLD');
  });
});

test('accepts fields that it states itself', () => {
  expect(readCatalogue(JSON.stringify(stated({})))[0]!.rules.extra_schema).toEqual(fields);
});

test('accepts null for a rule that may be absent', () => {
  const [entry] = readCatalogue(JSON.stringify([{ name: 'us', rules: { extra_schema: 'us', review_days: 3 } }]));
  expect(entry!.rules).toEqual({ ...usualRules, extra_schema: 'us', review_days: 3 });
});

test('moves a TLD to another registry, or to none, only with confirmation', async () => {
  const servedBy = () =>
    t.ctx.db
      .as(allTenants)
      .many<{ line: string }>(sql`select tld || ' ' || registry_id as line from registry_tld order by tld`);
  await loadCatalogue(t.ctx, JSON.stringify([{ name: 'com', registry: 'own' }, { name: 'shop' }]), 'file');
  await expect(connect('own', ['com'])).rejects.toThrow('Registry own no longer serves .shop');
  expect(await servedBy()).toEqual([{ line: 'com own' }, { line: 'shop own' }]);
  // As before, or more: no TLD is lost.
  expect(await connect('own', ['com', 'shop', 'net'])).toEqual({ taken: [], left: [], alternative: [] });
  // Without confirmation the route stays.
  expect(await connect('next', ['com', 'biz'])).toEqual({
    taken: [],
    left: [],
    alternative: [{ tld: 'com', route: 'own' }],
  });
  expect(await servedBy()).toEqual([
    { line: 'biz next' },
    { line: 'com own' },
    { line: 'net own' },
    { line: 'shop own' },
  ]);
  const moved = { taken: [{ tld: 'com', from: 'own' }], left: [], alternative: [] };
  expect(await connect('next', ['com', 'biz'], true)).toEqual(moved);
  expect(await connect('own', ['shop'], true)).toEqual({ taken: [], left: ['net'], alternative: [] });
  expect(await servedBy()).toEqual([{ line: 'biz next' }, { line: 'com next' }, { line: 'shop own' }]);
  // A catalogue with its values can be loaded again.
  const { registry } = await t.ctx.db
    .as(allTenants)
    .one<{ registry: string }>(sql`select registry from tld where name = 'com'`);
  expect(registry).toBe('next');
});
