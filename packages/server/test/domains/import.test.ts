import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { importDomains } from '../../src/core/domains/compare/import.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { listRegistries } from '../../src/core/registries/registry.sql.ts';
import { testConnection } from '../../src/registries/test-connection.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(async () => {
  await life.ledgerIsSound();
  await t.stop();
});

test('imports domains that the registry holds for us, and reports the reason for every other one', async () => {
  await life.buy('known.org');
  const { body } = await t.control('GET', '/domains/known.org');
  const registry = await t.ctx.registries.of('sandbox');
  const made = await registry.create(
    {
      name: 'forgotten.org',
      years: 2,
      registrant: body.registrant,
      contacts: { admin: body.registrant, tech: body.registrant },
      nameservers: [{ hostname: 'ns1.namehold-dns.net', addresses: [] }],
      extra: {},
    },
    {},
  );
  expect(made.kind).toBe('done');
  await registry.create({ name: 'bare.cc', years: 1, contacts: {}, nameservers: [], extra: {} }, {});
  await t.control('POST', '/domains/forgotten.org/tamper', { add_statuses: ['clientTransferProhibited'] });
  await life.buy('lost-to.com');
  await t.control('POST', '/domains/lost-to.com/tamper', { sponsor: 'rival' });
  await reconcileNames(t.ctx, ['lost-to.com']);
  t.moveClock('+16m');
  await reconcileNames(t.ctx, ['lost-to.com']);
  const money = await life.balance();
  const reports = await importDomains(t.ctx, {
    registryId: 'sandbox',
    names: ['FORGOTTEN.org', 'bare.cc', 'known.org', 'lost-to.com', 'nowhere.com', 'odd.example', 'not a name'],
    resellerId: '1000',
    customerId: '2001',
  });
  expect(reports.map((report) => report.outcome)).toEqual([
    'imported',
    'imported',
    'known',
    'not_ours',
    'not_there',
    'not_served',
    'not_served',
  ]);
  expect(reports[0]?.detail).toMatch(/with all contacts; .*21\.48 USD.*, .*charged$/);
  expect(await life.balance()).toEqual(money);
  const row = await t.ctx.db
    .as(allTenants)
    .one<Record<string, unknown>>(sql`select * from domain where name = 'forgotten.org'`);
  expect(row).toMatchObject({
    state: 'live',
    theft_protection: true,
    locked: false,
    registrant_contact_id: '3001',
    nameservers: ['ns1.namehold-dns.net'],
  });
  expect(row.end_date).toEqual(row.registry_expires_at);
  expect(await life.events('forgotten.org')).toEqual(['domain.imported']);
  expect(await reconcileNames(t.ctx, ['forgotten.org'])).toEqual([
    { name: 'forgotten.org', outcome: 'live', drift: [] },
  ]);
  const renewed = await life.renew('forgotten.org');
  expect(renewed.status, renewed.text).toBe(200);
});

test('refuses a customer of another reseller', async () => {
  const order = { registryId: 'sandbox', names: ['x.com'], resellerId: '1000', customerId: '9' };
  await expect(importDomains(t.ctx, order)).rejects.toThrow('no such customer');
  await expect(importDomains(t.ctx, { ...order, registryId: 'nowhere' })).rejects.toThrow('not found');
});

test('checks login, greeting and profile with registry test, and reports differences', async () => {
  const good = await testConnection(t.ctx, 'sandbox');
  expect(good.ok).toBe(true);
  expect(good.findings[0]).toContain('calls itself');
  expect(good.findings.filter((line) => line.includes('does not offer'))).toEqual([]);
  await t.ctx.db
    .autocommit(allTenants)
    .run(
      sql`update registry set profile = jsonb_set(profile, '{namespaces,fee}', '"urn:example:fee-9"') where id = 'sandbox'`,
    );
  const different = await testConnection(t.ctx, 'sandbox');
  expect(different.ok).toBe(false);
  expect(different.findings.join('\n')).toContain(
    'the profile has fee (urn:example:fee-9), which the server does not offer',
  );
  expect(different.findings.join('\n')).toContain('which the profile does not use');
  await t.ctx.db.autocommit(allTenants).run(sql`update registry set port = 1 where id = 'sandbox'`);
  const down = await testConnection(t.ctx, 'sandbox');
  expect(down.ok).toBe(false);
  expect(down.findings[0]).not.toBe('');
});

test('shows no secret in registry list', async () => {
  const [shown] = await listRegistries(t.ctx.db.as(allTenants));
  expect(shown).toMatchObject({ id: 'sandbox', client_id: 'namehold', is_active: true });
  expect(JSON.stringify(shown)).not.toMatch(/seal|pem|password"/);
});
