import { expect, vi } from 'vitest';
import { makeTraders, registration } from '../../../../test/faults/reseller-chain.ts';
import { waitUntilSettled } from '../../../../test/faults/settled.ts';
import { pollAfresh } from '../../../../test/support/poll.ts';
import type { Called, TestService } from '../../../../test/support/service.ts';
import { processExpiryOnce } from '../../src/core/domains/end/expire.ts';
import { closeMonths } from '../../src/core/invoices/children.ts';
import { issueDue } from '../../src/core/invoices/issue.ts';
import { lifeOf, orderOf } from '../domains/life.ts';

/** A few years of ordinary use: every common order that moves money or domains. */
export async function ordinaryUse(t: TestService): Promise<void> {
  const life = lifeOf(t);
  const ok = async (method: string, path: string, form: Record<string, string> = {}, as?: string) => {
    const called = await t.call(method, path, { form: { ...form }, ...(as ? { as } : {}) });
    expect(called.status, called.text).toBe(200);
    return called;
  };
  const none = { invoice_option: 'no_invoice' };
  await ok('POST', '/v1/resellers/1000/transactions/fund', { amount: '500', description: 'more' }, t.operator);
  await ok('POST', '/v1/resellers/1000/transactions/debit_note', { amount: '2.50', description: 'fee' }, t.operator);
  await ok('POST', '/v1/customers/2001/transactions/fund', { amount: '40', description: 'paid in' });

  const account = { json: { details: 'Bank 1, 4711' } };
  expect((await t.call('PUT', '/v1/account/payment_providers/bank_transfer', account)).status).toBe(200);
  const { payment_id } = (await ok('POST', '/v1/payments', { customer_id: '2001', amount: '10.00' })).body;
  await ok('POST', `/v1/payments/${payment_id}/confirm`);

  for (const name of ['plain.com', 'two.org', 'deleted-in-grace.com', 'paid-late.com', 'dropped.com', 'open.com'])
    await life.buy(name, name === 'two.org' ? { years: '2' } : {});
  await life.buy('private.com', { purchase_privacy_protection: 'true' });
  await ok('POST', '/v1/domains/plain.com/privacy_protection/buy', none);
  expect((await life.renew('plain.com', { years: '3' })).status).toBe(200);
  const chain = await makeTraders(t, 1, 2, '500.00');
  // Its parent sends it an invoice a month.
  const monthly = { as: chain.at(-2)!.credentials, json: { child_invoices: 'monthly' } };
  expect((await t.call('PUT', '/v1/invoices/settings', monthly)).status).toBe(200);
  await ok('POST', '/v1/domains', registration(chain.at(-1)!, 'chained.net', 2), chain.at(-1)!.credentials);

  await billedUse(t, ok);

  // Refunded within the add grace period; refunded within the grace period of a renewal.
  await life.buy('regret.com');
  await ok('DELETE', '/v1/domains/regret.com');
  await life.buy('back.com');
  await life.buy('renewed-back.org');
  t.moveClock('+10d');
  expect((await life.renew('renewed-back.org', { years: '2' })).status).toBe(200);
  await ok('DELETE', '/v1/domains/renewed-back.org');
  await ok('DELETE', '/v1/domains/back.com');
  await ok('POST', '/v1/domains/back.com/restore', none);
  await ok('DELETE', '/v1/domains/dropped.com');

  // Refused: by the registry at once, and after its review.
  await t.control('POST', '/domains/two.org/tamper', { add_statuses: ['serverRenewProhibited'] });
  expect((await life.renew('two.org')).status).toBe(400);
  await t.control('POST', '/domains/two.org/tamper', { rem_statuses: ['serverRenewProhibited'] });

  const wanted = { form: orderOf('ditolak.web.id', { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' }) };
  expect((await t.call('POST', '/v1/domains', { ...wanted, headers: { Prefer: 'wait=60' } })).status).toBe(202);
  await t.control('POST', '/domains/ditolak.web.id/review', { decision: 'refuse' });
  await pollAfresh(t.ctx, 'sandbox');
  await vi.waitFor(async () => expect((await life.row('ditolak.web.id')).state).toBe('removed'), { timeout: 300_000 });

  // The registry auto-renews: one is paid late, one is deleted in the grace period, one stays open.
  t.moveClock('+360d');
  for (let round = 0; round < 2; round += 1) await processExpiryOnce(t.ctx);
  expect((await life.renew('paid-late.com')).status).toBe(200);
  await ok('DELETE', '/v1/domains/deleted-in-grace.com');
  await pollAfresh(t.ctx, 'sandbox');
  await waitUntilSettled(t.ctx.db);
  await issueDue(t.ctx);
  await closeMonths(t.ctx);
}

/** Customers are billed: one owes, one has paid, one has paid and was refunded, one waits, one was cancelled. */
async function billedUse(
  t: TestService,
  ok: (method: string, path: string, form?: Record<string, string>) => Promise<Called>,
): Promise<void> {
  const prices = [{ tld: 'com', action: 'create', years: 1, amount: '15.00', currency: 'USD' }];
  const set = await t.call('PUT', '/v1/account/price_list', { json: { target: 'customer', prices } });
  expect(set.status, set.text).toBe(200);
  const buy = async (name: string, invoice_option: string) =>
    (await ok('POST', '/v1/domains', { ...orderOf(name), customer_id: '2001', invoice_option })).body;
  await ok('POST', '/v1/customers/2001/transactions/fund', { amount: '60', description: 'for names' });
  await buy('owed.com', 'keep_invoice');
  await buy('billed.com', 'pay_invoice');
  const { domain_id } = await buy('billed-back.com', 'pay_invoice');
  await ok('DELETE', `/v1/domains/${domain_id}`);
  await buy('waiting.com', 'only_add');
  const { transaction_id } = await buy('given-up.com', 'only_add');
  await ok('POST', '/v1/customers/2001/transactions/cancel', { transaction_id });
}
