import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { keepPrivacy } from '../../src/core/domains/change/privacy.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { toRegistryContact } from '../../src/core/domains/registry/ensure-contacts.ts';
import type { ContactForRegistry } from '../../src/core/domains/registry/registry-contact.sql.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(async () => {
  expect((await life.balance()).held).toBe(0n);
  await life.ledgerIsSound();
  await t.stop();
});

const path = (name: string) => `/v1/domains/${name}/privacy_protection`;

test('charges once for privacy that is bought, switched off and on again, with the contract texts', async () => {
  await life.buy('private.org');
  expect((await t.call('PUT', path('private.org'))).status).toBe(409);
  const before = await life.balance();
  const dry = await t.call('POST', `${path('private.org')}/buy`, {
    form: { invoice_option: 'no_invoice', dry_run: 'true' },
  });
  expect(dry.status, dry.text).toBe(200);
  expect(await life.balance()).toEqual(before);
  const headers = { 'Idempotency-Key': 'privacy-1' };
  const form = { invoice_option: 'no_invoice' };
  const bought = await t.call('POST', `${path('private.org')}/buy`, { form, headers });
  expect(bought.status, bought.text).toBe(200);
  expect(bought.body).toMatchObject({ status: 'Completed', operation_state: 'done', domain_name: 'private.org' });
  expect(bought.body.transaction_id).toMatch(/^\d+$/);
  const repeated = await t.call('POST', `${path('private.org')}/buy`, { form, headers });
  expect(repeated.body).toEqual(bought.body);
  const after = await life.balance();
  const transaction = await t.call('GET', `/v1/account/transactions/${bought.body.transaction_id}`);
  expect(transaction.body).toMatchObject({ transaction_type: 'privacy_protect', status: 'completed' });
  expect(before.available - after.available).toBe(BigInt(Math.round(transaction.body.amount * 100)));
  expect((await t.call('GET', path('private.org'))).body.privacy_protection_enabled).toBe('true');
  expect((await t.call('DELETE', path('private.org'))).body).toEqual({ privacy_protection_enabled: 'false' });
  expect((await t.call('PUT', path('private.org'))).body).toEqual({ privacy_protection_enabled: 'true' });
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(sql`select count(*) as n from operation where kind = 'buy_privacy'`);
  expect(n).toBe('1');
});

/** The registrant's data at the registry. */
async function shownAt(name: string): Promise<{ registrant: string; isHidden: boolean }> {
  const registry = await t.ctx.registries.of('sandbox');
  const { body } = await t.control('GET', `/domains/${name}`);
  const info = await registry.contactInfo(body.registrant);
  if (info.kind !== 'done' || !info.data) throw new Error(`no contact ${body.registrant}`);
  return { registrant: body.registrant, isHidden: info.data.isHidden };
}

test('hides the registrant at the registry while privacy is on, and shows the registrant when off', async () => {
  expect(await shownAt('private.org')).toMatchObject({ isHidden: true });
  await t.call('DELETE', path('private.org'));
  const open = await shownAt('private.org');
  expect(open.isHidden).toBe(false);
  await t.call('PUT', path('private.org'));
  const again = await shownAt('private.org');
  expect(again.isHidden).toBe(true);
  expect(again.registrant).not.toBe(open.registrant);
  const [report] = await reconcileNames(t.ctx, ['private.org']);
  expect(report!.drift).toEqual([]);
});

test("charges no time twice, and none beyond the end of the domain's term", async () => {
  const before = await life.balance();
  const twice = await t.call('POST', `${path('private.org')}/buy`, { form: {} });
  expect(twice.status).toBe(409);
  expect(twice.body.message).toContain('Renew the domain');
  await life.buy('private-long.org', { years: '3' });
  const { end_date: end } = await life.row('private-long.org');
  const endAt = (at: Date) =>
    t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update domain set end_date = ${at} where name = 'private-long.org'`),
    );
  await endAt(t.ctx.clock.now());
  const atTheEnd = await t.call('POST', `${path('private-long.org')}/buy`, { form: {} });
  expect([atTheEnd.status, atTheEnd.body.message]).toEqual([
    409,
    expect.stringContaining('cannot last longer than the domain'),
  ]);
  await endAt(end!);
  const tooLong = await t.call('POST', `${path('private-long.org')}/buy`, { form: { years: '4' } });
  expect(tooLong.status).toBe(400);
  expect(tooLong.body.message).toContain('at most 3');
  const charged = 3n * 1289n;
  expect(before.available - (await life.balance()).available).toBe(charged);
  const buy = () => t.call('POST', `${path('private-long.org')}/buy`, { form: {} });
  expect((await buy()).status).toBe(200);
  expect((await buy()).status).toBe(200);
  const row = await life.row('private-long.org');
  expect(row.privacy_until!.getUTCFullYear()).toBe(t.ctx.clock.now().getUTCFullYear() + 2);
  expect((await buy()).status).toBe(200);
  expect((await life.row('private-long.org')).privacy_until).toEqual(row.end_date);
  expect((await buy()).status).toBe(409);
});

test('applies privacy at once when bought with the domain, and refunds it with an early delete', async () => {
  const before = await life.balance();
  await life.buy('private-born.org', { years: '2', purchase_privacy_protection: 'true' });
  expect(await shownAt('private-born.org')).toMatchObject({ isHidden: true });
  await life.buy('private-later.org');
  expect((await t.call('POST', `${path('private-later.org')}/buy`, { form: {} })).status).toBe(200);
  for (const name of ['private-born.org', 'private-later.org'])
    expect((await t.call('DELETE', `/v1/domains/${name}`)).status).toBe(200);
  expect(await life.balance()).toEqual(before);
});

test('hides the registrant after a renewal with privacy, and keeps longer paid time', async () => {
  await life.buy('private-renewed.org');
  expect((await life.renew('private-renewed.org', { purchase_privacy_protection: 'true' })).status).toBe(200);
  expect(await shownAt('private-renewed.org')).toMatchObject({ isHidden: true });
  const row = await life.row('private-renewed.org');
  expect(row.privacy_until).toEqual(row.end_date);
});

test('removes privacy at the registry when its paid time ends', async () => {
  await life.buy('private-ends.org', { years: '2' });
  expect((await t.call('POST', `${path('private-ends.org')}/buy`, { form: {} })).status).toBe(200);
  expect(await shownAt('private-ends.org')).toMatchObject({ isHidden: true });
  t.moveClock('+366d');
  await keepPrivacy(t.ctx);
  expect(await shownAt('private-ends.org')).toMatchObject({ isHidden: false });
  expect((await t.call('GET', path('private-ends.org'))).body.privacy_protection_enabled).toBe('false');
});

test('refunds privacy when the registry refuses to hide the registrant', async () => {
  await life.buy('private-refused.org');
  const before = await life.balance();
  await t.control('POST', '/domains/private-refused.org/tamper', { add_statuses: ['serverUpdateProhibited'] });
  const called = await t.call('POST', `${path('private-refused.org')}/buy`, { form: {} });
  expect(called.status).toBeGreaterThanOrEqual(400);
  expect(await life.balance()).toEqual(before);
  expect(await life.row('private-refused.org')).toMatchObject({ privacy_until: null });
});

test('determines the result of a lost answer, and charges once', async () => {
  await life.buy('private-lost.org');
  const before = await life.balance();
  await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    commands: ['domain:update'],
    name: 'private-lost.org',
    limit: 1,
    how: 'close',
  });
  expect((await t.call('POST', `${path('private-lost.org')}/buy`, { form: {} })).status).toBe(200);
  expect(before.available - (await life.balance()).available).toBeGreaterThan(0n);
  expect(await shownAt('private-lost.org')).toMatchObject({ isHidden: true });
});

test('sends no data of the registrant to a registry with a proxy contact', () => {
  const registrant = {
    id: '1',
    name: 'Jane Registrant',
    company: 'Her Firm',
    email: 'jane@registrant.example',
    extra: {},
  };
  const card = {
    name: 'Privacy Service',
    organisation: null,
    street: ['1 Proxy Street'],
    city: 'Proxytown',
    postal_code: null,
    country_code: 'SG',
    voice: '+65.61234567',
    email: 'proxy@privacy.example',
  };
  const sent = toRegistryContact(registrant as unknown as ContactForRegistry, 'nhproxy1', { method: 'proxy', card });
  expect(sent).toMatchObject({ name: 'Privacy Service', city: 'Proxytown', email: 'proxy@privacy.example' });
  expect(JSON.stringify(sent)).not.toMatch(/jane|firm/i);
});

/** Commands for a domain since its create. */
const sentFor = async (id: string) =>
  (
    await t.ctx.db.as(allTenants).many<{ step: string }>(sql`
      select c.step from registry_command c join operation o on o.id = c.operation_id
      where o.domain_id = ${id} and o.kind <> 'register'`)
  ).map(({ step }) => step);

test('changes only our records at a registry without contacts, and sends nothing', async () => {
  const name = 'private-thin.com';
  const id = await life.buy(name);
  const before = await life.balance();
  const { synced_at: info } = await life.row(name);
  // Not even a query: the registry may be unavailable.
  await t.control('POST', '/faults', { kind: 'drop-before', rate: 1, seed: 1, how: 'close', name });
  const bought = await t.call('POST', `${path(name)}/buy`, { form: {} });
  expect(bought.body, bought.text).toMatchObject({ status: 'Completed', operation_state: 'done' });
  expect((await t.call('DELETE', path(name))).body).toEqual({ privacy_protection_enabled: 'false' });
  expect((await t.call('PUT', path(name))).body).toEqual({ privacy_protection_enabled: 'true' });
  const roles = { admin_contact_id: '-1', tech_contact_id: '3001', billing_contact_id: '-1' };
  const form = { registrant_contact_id: '3002', ...roles };
  const changed = await t.call('PUT', `/v1/domains/${id}/contacts`, { form });
  expect(changed.body, changed.text).toMatchObject({ registrant_contact_id: '3002', admin_contact_id: null });
  await t.control('DELETE', '/faults');
  expect(await sentFor(id)).toEqual([]);
  const row = await life.row(name);
  expect(row).toMatchObject({ privacy_enabled: true, privacy_sent: true, registrant_contact_id: '3002' });
  expect([row.privacy_until, row.synced_at]).toEqual([row.end_date, info]);
  expect(before.available - (await life.balance()).available).toBe(300n);
  expect((await t.control('GET', `/domains/${name}`)).body).toMatchObject({ registrant: null, contacts: [] });
  const [report] = await reconcileNames(t.ctx, [name]);
  expect(report!.drift).toEqual([]);
});

test('sells privacy with registration and renewal there, ends it, and refunds it with the registration', async () => {
  const before = await life.balance();
  await life.buy('private-thin-born.com', { purchase_privacy_protection: 'true' });
  expect(await life.row('private-thin-born.com')).toMatchObject({ privacy_enabled: true, privacy_sent: true });
  expect((await t.call('DELETE', '/v1/domains/private-thin-born.com')).status).toBe(200);
  expect(await life.balance()).toEqual(before);
  const id = await life.buy('private-thin-ends.com', { years: '2' });
  expect((await t.call('POST', `${path('private-thin-ends.com')}/buy`, { form: {} })).status).toBe(200);
  t.moveClock('+366d');
  await keepPrivacy(t.ctx);
  expect(await life.row('private-thin-ends.com')).toMatchObject({ privacy_enabled: false, privacy_sent: false });
  expect(await sentFor(id)).toEqual([]);
  const renewed = await life.renew('private-thin-ends.com', { purchase_privacy_protection: 'true' });
  expect(renewed.status, renewed.text).toBe(200);
  const row = await life.row('private-thin-ends.com');
  expect(row).toMatchObject({ privacy_enabled: true, privacy_sent: true, privacy_until: row.end_date });
  expect(await sentFor(id)).toEqual(['renew']);
});

test('refuses privacy without a charge if not offered, too expensive, unpaid or for an unknown domain', async () => {
  const us = await life.buy('private.us', { extra: 'us_purpose=P1&us_category=C11' });
  await life.buy('private-guard.org');
  const before = await life.balance();
  for (const [method, tail] of [
    ['GET', ''],
    ['PUT', ''],
    ['POST', '/buy'],
  ] as const) {
    const refused = await t.call(
      method,
      `${path(us)}${tail}`,
      method === 'GET' ? {} : { form: { invoice_option: 'no_invoice' } },
    );
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('privacy protect not available');
  }
  const buy = (name: string, form: Record<string, string>) =>
    t.call('POST', `${path(name)}/buy`, { form: { invoice_option: 'no_invoice', ...form } });
  expect((await buy('private-guard.org', { max_price: '0.01' })).body.code).toBe('price_guard');
  expect((await buy('nobody-has-it.org', {})).status).toBe(404);
  expect(await life.balance()).toEqual(before);
});
