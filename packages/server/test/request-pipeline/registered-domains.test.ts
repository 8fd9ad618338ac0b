import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

/** Domains held by another account here and domains at another registrar must not be distinguishable. */
const here = { com: 'held-in-here.com', shop: 'held-in-here.shop' };
const elsewhere = { com: 'held-in-away.com', shop: 'held-in-away.shop' };

let t: TestService;
let stranger: string;
let parties: Record<string, string>;

async function partiesOf(as: string): Promise<Record<string, string>> {
  const customer = await makeCustomer(t, as);
  const contact = await makeContact(t, customer, as);
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
  return { customer_id: customer, invoice_option: 'no_invoice', ...Object.fromEntries(roles) };
}

beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_WAIT_MS: '60000' } });
  const own = await partiesOf(t.demo);
  for (const name of [...Object.values(here), ...Object.values(elsewhere)]) {
    const form = { domain_name: name, max_price: '5000', ...own };
    expect((await t.call('POST', '/v1/domains', { form })).status, name).toBe(200);
  }
  for (const name of Object.values(elsewhere)) {
    await t.control('POST', `/domains/${name}/tamper`, { sponsor: 'rival' });
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        update domain set state = 'removed', removed_reason = 'transferred_away', removed_at = now() where name = ${name}`),
    );
  }
  stranger = await makeReseller(t);
  await t.call('POST', `/v1/resellers/${stranger.split(':')[0]}/transactions/fund`, {
    form: { amount: '10000', description: 'x' },
    as: t.operator,
  });
  parties = await partiesOf(stranger);
});
beforeEach(() => t.control('DELETE', '/faults'));
afterAll(() => t.stop());

const order = (name: string, more: Record<string, string> = {}) =>
  t.call('POST', '/v1/domains', { form: { domain_name: name, ...parties, ...more }, as: stranger });

const calls: Record<string, (name: string) => ReturnType<typeof order>> = {
  order: (name) => order(name),
  'order for two years': (name) => order(name, { years: '2' }),
  'order with privacy': (name) => order(name, { purchase_privacy_protection: 'true' }),
  'order with a guard that is too low': (name) => order(name, { max_price: '0.01' }),
  'order with a quote that is none': (name) => order(name, { quote_id: 'quo_06zzzzzzzzzzzzzzzzzzzzzzzz' }),
  'order with a wrong field': (name) => order(name, { years: '11' }),
  'dry run': (name) => order(name, { dry_run: 'true' }),
  quote: (name) =>
    t.call('POST', '/v1/quotes', { json: { kind: 'register', domain_name: name, years: 1 }, as: stranger }),
  'quote of a renewal': (name) =>
    t.call('POST', '/v1/quotes', { json: { kind: 'renew', domain_name: name, years: 1 }, as: stranger }),
  availability: (name) => t.call('GET', '/v1/domains/availability', { query: { domain: name }, as: stranger }),
  'details by name': (name) =>
    t.call('GET', '/v1/domains/details-by-name', { query: { domain_name: name }, as: stranger }),
  read: (name) => t.call('GET', `/v1/domains/${name}`, { as: stranger }),
};

/** Everything that an account can read afterwards. */
async function traces(): Promise<string> {
  const seen = [];
  for (const path of ['/v1/operations', '/v1/domains', '/v1/account/transactions', '/v1/events', '/v1/account/balance'])
    seen.push((await t.call('GET', path, { as: stranger })).text);
  return seen.join('\n');
}

describe.each(['com', 'shop'] as const)('a registered name under .%s', (tld) => {
  test.each(Object.entries(calls))(
    'gets one answer, whether held here or at another registrar: %s',
    async (_, call) => {
      const plain = (text: string, name: string) => text.replace(/"request_id":"[^"]*"/, '').replaceAll(name, '(name)');
      const before = await traces();
      const answers = [];
      for (const name of [here[tld], elsewhere[tld]]) {
        const called = await call(name);
        answers.push({ status: called.status, text: plain(called.text, name) });
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]!.status).not.toBe(500);
      expect(await traces()).toBe(before);
    },
  );

  test('is refused to its own reseller with the id of its domain', async () => {
    const own = await partiesOf(t.demo);
    const mine = await t.call('POST', '/v1/domains', { form: { domain_name: here[tld], ...own } });
    const theirs = await order(elsewhere[tld]);
    expect(mine.body.code).toBe('domain_not_available');
    expect(mine.body.message).toMatch(/is already in your account, as domain \d+/);
    expect(theirs.body.code).toBe('domain_not_available');
    expect(theirs.body.message).toBe('The domain name is not available.');
  });
});
