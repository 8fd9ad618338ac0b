import { everyTenant, sql } from '@namehold/base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
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

test('bought, switched off and on again: texts, and the money moves once', async () => {
  await life.buy('private.com');
  expect((await t.call('PUT', path('private.com'))).status).toBe(409);
  const before = await life.balance();
  const dry = await t.call('POST', `${path('private.com')}/buy`, {
    form: { invoice_option: 'no_invoice', dry_run: 'true' },
  });
  expect(dry.status, dry.text).toBe(200);
  expect(await life.balance()).toEqual(before);
  const headers = { 'Idempotency-Key': 'privacy-1' };
  const form = { invoice_option: 'no_invoice' };
  const bought = await t.call('POST', `${path('private.com')}/buy`, { form, headers });
  expect(bought.status, bought.text).toBe(200);
  expect(bought.body).toMatchObject({ status: 'Completed', operation_state: 'done', domain_name: 'private.com' });
  expect(bought.body.transaction_id).toMatch(/^\d+$/);
  const repeated = await t.call('POST', `${path('private.com')}/buy`, { form, headers });
  expect(repeated.body).toEqual(bought.body);
  const after = await life.balance();
  const transaction = await t.call('GET', `/v1/account/transactions/${bought.body.transaction_id}`);
  expect(transaction.body).toMatchObject({ transaction_type: 'privacy_protect', status: 'completed' });
  expect(before.available - after.available).toBe(BigInt(Math.round(transaction.body.amount * 100)));
  expect((await t.call('GET', path('private.com'))).body.privacy_protection_enabled).toBe('true');
  expect((await t.call('DELETE', path('private.com'))).body).toEqual({ privacy_protection_enabled: 'false' });
  expect((await t.call('PUT', path('private.com'))).body).toEqual({ privacy_protection_enabled: 'true' });
  const { n } = await t.house.db
    .as(everyTenant)
    .one<{ n: string }>(sql`select count(*) as n from operation where kind = 'buy_privacy'`);
  expect(n).toBe('1');
});

test('a second purchase adds to the first; a client without invoice_option is served', async () => {
  const more = await t.call('POST', `${path('private.com')}/buy`, { form: { years: '2' } });
  expect(more.status, more.text).toBe(200);
  const { privacy_until: until } = await life.row('private.com');
  const years = (until!.getTime() - t.house.clock.now().getTime()) / (365.25 * 86_400_000);
  expect(Math.round(years)).toBe(3);
});

test('not offered, too dear, no money, unknown: refused, and nothing is charged', async () => {
  const us = await life.buy('private.us', { extra: 'us_purpose=P1&us_category=C11' });
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
  expect((await buy('private.com', { max_price: '0.01' })).body.code).toBe('price_guard');
  expect((await buy('private.com', { invoice_option: 'pay_invoice' })).status).toBe(400);
  expect((await buy('nobody-has-it.com', {})).status).toBe(404);
  expect(await life.balance()).toEqual(before);
});
