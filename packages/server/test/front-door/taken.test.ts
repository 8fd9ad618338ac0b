import { everyTenant, sql } from '@namehold/base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_WAIT_MS: '60000' } });
});
afterAll(() => t.stop());

async function order(as: string, name: string) {
  const customer = await makeCustomer(t, as);
  const contact = await makeContact(t, customer, as);
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
  const form = { domain_name: name, customer_id: customer, years: '1', invoice_option: 'no_invoice' };
  return t.call('POST', '/v1/domains', { form: { ...form, ...Object.fromEntries(roles) }, as });
}

test('a taken name answers in the same words, whoever holds it', async () => {
  expect((await order(t.demo, 'ours.com')).status).toBe(200);
  const stranger = await makeReseller(t);
  await t.call('POST', `/v1/resellers/${stranger.split(':')[0]}/transactions/fund`, {
    form: { amount: '1000', description: 'x' },
    as: t.operator,
  });
  // Another registrar's, and nothing of it in our books.
  expect((await order(t.demo, 'theirs.com')).status).toBe(200);
  await t.control('POST', '/domains/theirs.com/tamper', { sponsor: 'rival' });
  await t.house.db.transaction(everyTenant, (tx) =>
    tx.run(sql`
      update domain set state = 'removed', removed_reason = 'transferred_away', removed_at = now() where name = 'theirs.com'`),
  );
  const plain = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
  const here = await order(stranger, 'ours.com');
  expect(here.body.code, here.text).toBe('domain_not_available');
  const own = await order(t.demo, 'ours.com');
  const elsewhere = await order(stranger, 'theirs.com');
  expect(elsewhere.body.code, elsewhere.text).toBe('domain_not_available');
  expect(plain(elsewhere.text)).toBe(plain(here.text));
  expect(plain(own.text)).toBe(plain(here.text));
});
