import { allTenants, sql } from '@namehold/base';
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

test('a file becomes the catalogue; loading it again changes nothing; a TLD that it omits is no longer offered', async () => {
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

describe('an invalid file is refused by the path of the error', () => {
  const bad: [string, unknown, string][] = [
    ['no list', {}, 'catalogue'],
    ['no name', [{}], '0.name'],
    ['a field that is none', [{ name: 'com', price: 1 }], '0.price'],
    ['a rule that is none', [{ name: 'com', rules: { colour: 'red' } }], 'rules.colour'],
    ['a deeper rule that is none', [{ name: 'com', rules: { periods: { days: 3 } } }], 'rules.periods.days'],
    ['a text for a number', [{ name: 'com', rules: { periods: { max_years: '10' } } }], 'rules.periods.max_years'],
    ['a number for an object', [{ name: 'com', rules: { names: 3 } }], 'rules.names'],
    ['a word for a list', [{ name: 'com', rules: { contacts: { required: 'admin' } } }], 'rules.contacts.required'],
    ['a host model that is none', [{ name: 'com', rules: { nameservers: { host_model: 'nonsense' } } }], 'host_model'],
    ['years below one', [{ name: 'com', rules: { periods: { max_years: -3 } } }], 'rules.periods.max_years'],
    ['fewer at most than at least', [{ name: 'com', rules: { nameservers: { min: 5, max: 2 } } }], 'nameservers.min'],
    ['a role that is none', [{ name: 'com', rules: { contacts: { required: ['owner'] } } }], 'contacts.required.0'],
    ['an offer that is no yes or no', [{ name: 'com', is_offered: 'maybe' }], '0.is_offered'],
    ['a key of every object', [{ name: 'com', rules: { constructor: 1 } }], 'rules.constructor'],
  ];
  test.each(bad)('%s', (_name, value, field) => {
    expect(() => readCatalogue(JSON.stringify(value))).toThrow(field);
  });
  test('not JSON', () => expect(() => readCatalogue('{')).toThrow('not JSON'));
  test('a TLD that no registry serves', async () => {
    await expect(loadCatalogue(t.ctx, JSON.stringify([{ name: 'org' }]), 'file')).rejects.toThrow(
      'No connected registry serves this TLD',
    );
  });
  test('a registry that does not serve it, or does not exist', async () => {
    const file = JSON.stringify([{ name: 'com', registry: 'nowhere' }]);
    await expect(loadCatalogue(t.ctx, file, 'file')).rejects.toThrow('Registry nowhere does not serve this TLD');
  });
});

test('null is allowed where a rule may be absent', () => {
  const [entry] = readCatalogue(JSON.stringify([{ name: 'us', rules: { extra_schema: 'us', review_days: 3 } }]));
  expect(entry!.rules).toEqual({ ...usualRules, extra_schema: 'us', review_days: 3 });
});

test('a TLD moves from one registry to another, or to none, only if that is confirmed', async () => {
  const servedBy = () =>
    t.ctx.db
      .as(allTenants)
      .many<{ line: string }>(sql`select tld || ' ' || registry_id as line from registry_tld order by tld`);
  await loadCatalogue(t.ctx, JSON.stringify([{ name: 'com', registry: 'own' }, { name: 'shop' }]), 'file');
  await expect(connect('next', ['com', 'biz'])).rejects.toThrow(
    'Registry next takes over .com of registry own: existing domains stay there, new ones go to next. To confirm this, add --confirm-tlds.',
  );
  await expect(connect('own', ['com'])).rejects.toThrow('Registry own no longer serves .shop');
  expect(await servedBy()).toEqual([{ line: 'com own' }, { line: 'shop own' }]);
  // As before, or more: no TLD is lost.
  expect(await connect('own', ['com', 'shop', 'net'])).toEqual({ taken: [], left: [] });
  expect(await connect('next', ['com', 'biz'], true)).toEqual({ taken: [{ tld: 'com', from: 'own' }], left: [] });
  expect(await connect('own', ['shop'], true)).toEqual({ taken: [], left: ['net'] });
  expect(await servedBy()).toEqual([{ line: 'biz next' }, { line: 'com next' }, { line: 'shop own' }]);
  // A catalogue with its values can be loaded again.
  const { registry } = await t.ctx.db
    .as(allTenants)
    .one<{ registry: string }>(sql`select registry from tld where name = 'com'`);
  expect(registry).toBe('next');
});
