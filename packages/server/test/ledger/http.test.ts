import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../src/http/app.ts';
import { offerTlds } from '../pricing/catalogue.ts';
import { type Billing, openBilling } from './billing.ts';

let billing: Billing;
let app: App;
let demo: string;
let operator: string;
let customer: string;
beforeAll(async () => {
  billing = await openBilling();
  ({ app, demo, operator, customer } = billing);
});
afterAll(() => billing.close());

type Verb = 'GET' | 'POST' | 'PUT';
async function call(
  as: string,
  method: Verb,
  path: string,
  body?: object | string,
  headers: Record<string, string> = {},
) {
  const answer = await app.fastify.inject({
    method,
    url: `/v1${path}`,
    headers: {
      authorization: `Basic ${Buffer.from(as).toString('base64')}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

test('funds a reseller, which reads its balance and transactions', async () => {
  const funded = await call(
    operator,
    'POST',
    '/resellers/1000/transactions/fund',
    'amount=150&description=bank+transfer',
  );
  expect(funded).toMatchObject({
    status: 200,
    body: { reseller_id: '1000', transaction_type: 'deposit', amount: 150, balance: 150, description: 'bank transfer' },
  });
  const note = await call(
    operator,
    'POST',
    '/resellers/1000/transactions/debit_note',
    'amount=0.5&description=fee&subtract_total_receipts=1',
  );
  expect(note.body).toMatchObject({ transaction_type: 'note', amount: 0.5, balance: 149.5 });
  expect(funded.body.status).toBe('pending');
  expect((await call(demo, 'GET', '/account/balance')).body).toBe(149.5);
  expect((await call(demo, 'GET', '/account/funds')).body).toEqual({
    balance: { amount: '149.50', currency: 'USD' },
    currency: 'USD',
    held: { amount: '0.00', currency: 'USD' },
    credit_limit: { amount: '0.00', currency: 'USD' },
  });
  const list = await call(
    demo,
    'GET',
    '/account/transactions?transaction_type=deposit&limit=2&page_no=&amount_range_start=100',
  );
  expect(list.headers['x-total-count']).toBe('1');
  expect(list.body).toHaveLength(1);
  const one = await call(demo, 'GET', `/account/transactions/${list.body[0].transaction_id}`);
  expect(one.body).toEqual(list.body[0]);
  expect(one.body.status).toBe('completed');
  expect((await call(operator, 'GET', '/resellers/1000/transactions')).body).toHaveLength(2);
  expect((await call(operator, 'GET', `/resellers/1000/transactions/${one.body.transaction_id}`)).status).toBe(200);
  expect((await call(operator, 'GET', '/resellers/1000/balance')).body).toBe(149.5);
  expect((await call(operator, 'GET', '/resellers/1000/funds')).body.balance.amount).toBe('149.50');
});

test('refuses invalid requests and names the field', async () => {
  const fund = (body: string, id = '1000', as = operator) =>
    call(as, 'POST', `/resellers/${id}/transactions/fund`, body);
  expect(await fund('amount=-5&description=x')).toMatchObject({ status: 400, body: { errors: [{ field: 'amount' }] } });
  expect(await fund('amount=1.005&description=x')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'amount' }] },
  });
  expect(await fund('amount=5')).toMatchObject({ status: 400, body: { errors: [{ field: 'description' }] } });
  expect((await fund('amount=5&description=x', '999')).status).toBe(404);
  expect((await fund('amount=5&description=x', '1000', demo)).status).toBe(404);
  expect(
    await call(operator, 'POST', '/resellers/1000/transactions/debit_note', 'amount=9999&description=x'),
  ).toMatchObject({
    status: 402,
    body: { type: 'card_error', code: 'insufficient_funds' },
  });
  expect((await call(demo, 'GET', '/account/transactions/999999')).status).toBe(404);
  expect((await call(demo, 'GET', '/account/transactions?transaction_id=abc')).status).toBe(400);
});

test('funds once for 20 concurrent calls with one Idempotency-Key', async () => {
  const before = (await call(demo, 'GET', '/account/balance')).body;
  const key = { 'idempotency-key': 'fund-1' };
  const send = () =>
    call(operator, 'POST', '/resellers/1000/transactions/fund', { amount: '7.00', description: 'once' }, key);
  const answers = await Promise.all(Array.from({ length: 20 }, send));
  expect(new Set(answers.map((a) => a.status)).isSubsetOf(new Set([200, 409]))).toBe(true);
  const ids = new Set([...answers, await send()].flatMap((a) => (a.status === 200 ? [a.body.transaction_id] : [])));
  expect(ids.size).toBe(1);
  expect((await call(demo, 'GET', '/account/balance')).body).toBe(before + 7);
});

test('lets the parent set a credit limit', async () => {
  const set = await call(operator, 'PUT', '/resellers/1000/credit_limit', { credit_limit: '25' });
  expect(set.body).toEqual({ credit_limit: { amount: '25.00', currency: 'USD' } });
  expect((await call(demo, 'GET', '/account/funds')).body.credit_limit.amount).toBe('25.00');
  expect((await call(demo, 'PUT', '/resellers/1000/credit_limit', { credit_limit: '99' })).status).toBe(404);
});

test('funds and charges a customer', async () => {
  const path = `/customers/${customer}/transactions`;
  const funded = await call(demo, 'POST', `${path}/fund`, 'amount=20&description=cash');
  expect(funded.body).toMatchObject({ customer_id: customer, amount: 20, balance: 20 });
  expect((await call(demo, 'POST', `${path}/debit_note`, 'amount=5&description=x')).body.balance).toBe(15);
  expect((await call(demo, 'POST', `${path}/debit_note`, 'amount=15.01&description=x')).status).toBe(402);
  expect((await call(demo, 'GET', `/customers/${customer}/balance`)).body).toBe(15);
  expect((await call(demo, 'GET', `/customers/${customer}/funds`)).body.balance).toEqual({
    amount: '15.00',
    currency: 'USD',
  });
  expect((await call(demo, 'GET', path)).body).toHaveLength(2);
  expect((await call(demo, 'GET', `${path}/${funded.body.transaction_id}`)).body).toEqual({
    ...funded.body,
    status: 'completed',
  });
  expect((await call(demo, 'GET', `/account/transactions/${funded.body.transaction_id}`)).status).toBe(404);
  for (const [verb, tail] of [
    ['GET', 'balance'],
    ['GET', 'transactions'],
    ['GET', `transactions/${funded.body.transaction_id}`],
    ['POST', 'transactions/fund'],
  ] as const) {
    const body = verb === 'POST' ? 'amount=1&description=x' : undefined;
    expect((await call(operator, verb, `/customers/${customer}/${tail}`, body)).status).toBe(404);
  }
});

test('names the position in the list for an invalid rule or price', async () => {
  const rulesOf = (...more: object[]) => ({
    audience: 'customer',
    rules: [{ kind: 'percent', percent: '5' }, ...more],
  });
  const rule = (fields: object) => rulesOf({ tld: 'com', ...fields });
  const price = { tld: 'com', action: 'create', amount: '15.00' };
  const pricesOf = (changes: object) => ({ target: 'customer', prices: [price, { ...price, ...changes }] });
  const bad: [path: string, body: object, field: string, message: RegExp][] = [
    ['price_rules', rule({ kind: 'percent', percent: '12.345' }), 'rules.1.percent', /two decimal places/],
    ['price_rules', rule({ kind: 'percent', percent: '-100.01' }), 'rules.1.percent', /from -100/],
    ['price_rules', rule({ kind: 'percent', percent: '99999' }), 'rules.1.percent', /to 9999.99/],
    ['price_rules', rule({ kind: 'percent' }), 'rules.1.percent', /is required/],
    ['price_rules', rule({ kind: 'fixed' }), 'rules.1.amount', /is required/],
    ['price_rules', rule({ kind: 'fixed', amount: '1.005' }), 'rules.1.amount', /1\.005/],
    [
      'price_rules',
      rule({ kind: 'percent', percent: '5', rounding_step: '0.00' }),
      'rules.1.rounding_step',
      /greater than 0/,
    ],
    ['price_rules', rule({ kind: 'percent', percent: '5', rounding_step: '0.005' }), 'rules.1.rounding_step', /0\.005/],
    [
      'price_rules',
      rule({ kind: 'percent', percent: '5', rounding_step: '1', rounding_ending: '1' }),
      'rules.1.rounding_ending',
      /less than/,
    ],
    ['price_rules', rule({ kind: 'fixed', amount: '1', currency: 'XXQ' }), 'rules.1.currency', /ISO 4217/],
    ['price_list', pricesOf({ amount: '15.001' }), 'prices.1.amount', /15\.001/],
    [
      'price_list',
      pricesOf({ valid_from: '2031-01-02T00:00:00Z', valid_to: '2031-01-01T00:00:00Z' }),
      'prices.1.valid_to',
      /later/,
    ],
    ['price_list', pricesOf({ valid_from: '2031-02-30T00:00:00Z' }), 'prices.1.valid_from', /Must be a time/],
    ['price_list', pricesOf({ valid_from: '2031-02-28T24:00:00Z' }), 'prices.1.valid_from', /Must be a time/],
  ];
  for (const [path, body, field, message] of bad) {
    const { status, body: answer } = await call(demo, 'PUT', `/account/${path}`, body);
    expect([status, answer.errors?.[0]?.field], JSON.stringify(body)).toEqual([400, field]);
    expect(answer.message).toMatch(message);
  }
  const csv = 'tld,action,amount,valid_from\ncom,create,15,2031-02-30\n';
  const report = await call(demo, 'POST', '/account/price_list/import', { target: 'customer', csv });
  expect(report.body).toMatchObject({ stored: 0, refused: 1 });
});

test('sets, imports and lists prices and price rules', async () => {
  await offerTlds(billing.t, { com: 10 });
  const prices = [
    { tld: 'com', action: 'create', amount: '8.00' },
    { tld: 'com', action: 'renew', amount: '8.00' },
  ];
  expect((await call(operator, 'PUT', '/account/price_list', { target: 'cost', prices })).body).toEqual({
    stored: 2,
    unknown_tlds: [],
  });
  expect((await call(demo, 'PUT', '/account/price_list', { target: 'cost', prices })).status).toBe(403);
  const rules = [
    { kind: 'percent', percent: '25' },
    { kind: 'percent', percent: '30', tld: 'nosuch' },
  ];
  const set = await call(operator, 'PUT', '/account/price_rules', { audience: 'reseller', rules });
  expect(set.body.rules).toMatchObject([
    { audience: 'reseller', tld: null, percent: '25.00', amount: null },
    { audience: 'reseller', tld: 'nosuch' },
  ]);
  expect(set.body.unknown_tlds).toEqual(['nosuch']);
  // A dry run reveals nothing more.
  expect({ ...(await call(operator, 'GET', '/account/price_rules')).body, prices: null }).toEqual(set.body);
  expect((await call(demo, 'GET', '/account/prices')).body.com).toMatchObject({
    tld_label: '.com',
    currency: 'USD',
    create: { '1': '10.00', '10': '100.00' },
    '0': { addnewdomain: '10.00', addtransferdomain: null, renewdomain: '10.00' },
  });
  expect((await call(operator, 'GET', '/resellers/prices')).body.com.create['1']).toBe('10.00');
  const csv = 'tld,action,amount\ncom,create,15\ncom,renew,abc\n';
  const report = await call(demo, 'POST', '/account/price_list/import', {
    target: 'customer',
    csv,
    all_or_nothing: false,
  });
  expect(report.body).toMatchObject({
    stored: 1,
    refused: 1,
    lines: [
      { line: 2, status: 'stored' },
      { line: 3, status: 'refused' },
    ],
  });
  expect((await call(demo, 'GET', '/customers/prices')).body.com.create['1']).toBe('15.00');
  expect(
    (
      await call(demo, 'PUT', '/account/price_rules', {
        audience: 'customer',
        rules: [{ kind: 'percent', percent: 'x' }],
      })
    ).status,
  ).toBe(400);
  expect(
    (
      await call(demo, 'PUT', '/account/price_list', {
        target: 'customer',
        prices: [
          { tld: 'com', action: 'create', amount: null },
          { tld: 'nosuch', action: 'create', amount: '1' },
        ],
      })
    ).body,
  ).toEqual({ stored: 2, unknown_tlds: ['nosuch'] });
});

describe('import of prices', () => {
  const importCsv = async (...lines: readonly string[]) =>
    (await call(demo, 'POST', '/account/price_list/import', { target: 'customer', csv: lines.join('\n') })).body;
  beforeAll(() => offerTlds(billing.t, { shop: 2 }));

  test('accepts the words of the console for actions', async () => {
    const csv = [
      'tld,action,amount',
      'shop,registration,20',
      'shop,Renewal,21',
      'shop,restore,90',
      'shop,privacy protection,4',
    ];
    expect(await importCsv(...csv)).toMatchObject({ stored: 4, refused: 0 });
    expect((await call(demo, 'GET', '/customers/prices')).body.shop).toMatchObject({
      create: { '1': '20.00' },
      renew: { '1': '21.00' },
      restore: { '1': '90.00' },
      privacy_protect: '4.00',
    });
  });

  test.each([
    ['into the next column', 'tld,action,amount,currency', 'shop,create,12,50'],
    ['into a column that the header does not name', 'tld,action,years,amount', 'shop,create,1,12,50'],
  ])('refuses an amount whose decimal comma leads %s', async (_, header, line) => {
    const before = (await call(demo, 'GET', '/customers/prices')).body.shop.create;
    const { stored, refused, lines } = await importCsv(header, line);
    expect([stored, refused, lines[0].reason]).toEqual([0, 1, expect.stringContaining('amount: ')]);
    expect(lines[0].reason).toContain('12.50');
    expect((await call(demo, 'GET', '/customers/prices')).body.shop.create).toEqual(before);
  });

  test('accepts empty cells after the last column', async () => {
    expect(await importCsv('tld,action,amount', 'shop,create,20,,')).toMatchObject({ stored: 1, refused: 0 });
  });

  test('reports no TLD as stored if nothing is stored', async () => {
    const refused = await importCsv('tld,action,amount', 'nosuch,create,5', 'shop,renew,abc');
    expect(refused).toMatchObject({ stored: 0, refused: 1, unknown_tlds: [] });
    const stored = await importCsv('tld,action,amount', 'nosuch,create,5');
    expect(stored).toMatchObject({ stored: 1, unknown_tlds: ['nosuch'] });
  });

  test('names the column of an error', async () => {
    const { lines } = await importCsv('tld,action,amount,valid_from,valid_to', 'shop,create,5,2031-01-02,2031-01-01');
    expect(lines[0].reason).toMatch(/^valid_to: /);
  });
});
