import { allTenants, sql } from '@namehold/postgres';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../../../test/support/catalogue.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { agreementTypes } from '../../src/core/reference/agreement.ts';
import { seedCatalogue } from '../../src/core/tlds/seed.ts';
import { sandboxCatalogue } from '../../src/embedded/sandbox-catalogue.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
  await loadCatalogue(t);
});
afterAll(() => t.stop());

describe('countries and currencies', () => {
  test('lists every country once, with its calling code', async () => {
    const called = await t.call('GET', '/v1/countries');
    expect(called.body.length).toBeGreaterThan(240);
    expect(called.body).toContainEqual({ country_code: 'ID', country_name: 'Indonesia', tel_cc_no: '62' });
    expect(new Set(called.body.map((c: { country_code: string }) => c.country_code)).size).toBe(called.body.length);
    expect(called.headers.get('x-total-count')).toBe(String(called.body.length));
  });
  test('lists the states of a country whatever the case of its code, and returns 404 for unknown ones', async () => {
    const called = await t.call('GET', '/v1/countries/us/states');
    expect(called.body).toContainEqual({ state_code: 'CA', state_name: 'California' });
    expect((await t.call('GET', '/v1/countries/ZZ/states')).status).toBe(404);
  });
  test('lists currencies with their decimals and returns 404 for unknown ones', async () => {
    const all = await t.call('GET', '/v1/currencies');
    expect(all.body).toContainEqual({ symbol: 'USD', name: 'US Dollar', decimals: 2 });
    expect((await t.call('GET', '/v1/currencies/idr')).body).toEqual({
      symbol: 'IDR',
      name: 'Indonesian Rupiah',
      decimals: 2,
    });
    expect((await t.call('GET', '/v1/currencies/jpy')).body.decimals).toBe(0);
    expect((await t.call('GET', '/v1/currencies/doubloon')).status).toBe(404);
  });
});

test.each(agreementTypes)('returns the agreement %s as Markdown with its title', async (type) => {
  const called = await t.call('GET', `/v1/agreements/${type}`);
  expect(called.body).toMatchObject({ type, content_type: 'text/markdown' });
  expect(called.body.content).toContain(`# ${called.body.title}`);
});
test('returns 404 for an unknown agreement', async () => {
  expect((await t.call('GET', '/v1/agreements/../../etc/passwd')).status).toBe(404);
  expect((await t.call('GET', '/v1/agreements/none')).status).toBe(404);
});

describe('TLDs', () => {
  test('lists the TLDs by key, each as a list with a label', async () => {
    const called = await t.call('GET', '/v1/tlds');
    expect(called.body.com).toMatchObject([{ label: '.com', name: 'com', min_duration: '1 years', tld_key: 'com' }]);
    expect(called.body['co.id'][0].label).toBe('.co.id');
  });
  test('returns the rules of one TLD, and an error for unknown ones', async () => {
    const called = await t.call('GET', '/v1/tlds/.COM');
    expect(called.body).toMatchObject({
      name: 'com',
      label: '.com',
      extra_schema: null,
      rules: { periods: { min_years: 1, max_years: 10 }, privacy_offered: true, extra_schema: null },
    });
    expect((await t.call('GET', '/v1/tlds/app')).body.rules.contacts).toMatchObject({
      required: ['registrant'],
      unused: ['admin', 'tech', 'billing'],
    });
    for (const name of ['nosuch', 'co--m', '%00']) {
      expect((await t.call('GET', `/v1/tlds/${name}`)).status, name).toBeGreaterThanOrEqual(400);
    }
  });
  test.each(['us', 'asia'])('publishes the schema that contacts of .%s are checked against', async (name) => {
    const called = await t.call('GET', `/v1/tlds/${name}`);
    const check = new Ajv2020({ strict: false }).compile(called.body.extra_schema);
    expect(check({})).toBe(false);
    if (name === 'us') expect(check({ us_purpose: 'P1', us_category: 'C21' })).toBe(true);
  });
  test('stores a new catalogue version only for a change, and stops offering a TLD that it omits', async () => {
    const load = (entries: Parameters<typeof seedCatalogue>[2]) =>
      t.ctx.db.transaction(allTenants, (tx) => seedCatalogue(t.ctx, tx, entries, 'test'));
    const versions = await countRows(t, 'tld_catalogue');
    expect(await load(sandboxCatalogue())).toEqual({ version: undefined, changed: 0 });
    expect(await countRows(t, 'tld_catalogue')).toBe(versions);
    const before = (await t.call('GET', '/v1/tlds/com')).body.catalogue_version;
    const entries = sandboxCatalogue()
      .filter((entry) => entry.name !== 'shop')
      .map((entry) => (entry.name === 'net' ? { ...entry, rules: { ...entry.rules, privacy_offered: false } } : entry));
    const loaded = await load(entries);
    expect(loaded.changed).toBe(2);
    expect((await t.call('GET', '/v1/tlds/com')).body.catalogue_version).toBe(before);
    expect((await t.call('GET', '/v1/tlds/net')).body).toMatchObject({
      catalogue_version: loaded.version,
      rules: { privacy_offered: false },
    });
    expect((await t.call('GET', '/v1/tlds/shop')).status).toBe(404);
    expect(Object.keys((await t.call('GET', '/v1/tlds')).body)).not.toContain('shop');
    expect(await countRows(t, 'tld', sql`not is_offered`)).toBe(1);
    await load(sandboxCatalogue());
    expect((await t.call('GET', '/v1/tlds/shop')).status).toBe(200);
  });
});
