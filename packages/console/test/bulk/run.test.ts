import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BulkSettings, itemOf, ready, sendItem, sentAs, type Verb } from '../../src/bulk/run.ts';
import { example, FakeApi } from '../support/api.ts';

const terms: BulkSettings = { years: 2, reason: '', mode: 'renew', hosts: ['ns1.example.net'] };
const quote = example('Quote', { quote_id: 'quo_1', total: { amount: '23.00', currency: 'USD' } });
const domain = example('Domain', { domain_id: '5001', domain_name: 'a.example', expiry_date: '2027-11-15 09:00:00' });
const renew = '/domains/{domain_id}/renew';

let api: FakeApi;
const fetchBefore = globalThis.fetch;
beforeEach(() => {
  api = new FakeApi();
  globalThis.fetch = api.fetch as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = fetchBefore;
  expect(api.complaints).toEqual([]);
});

describe('sendItem', () => {
  test.each<[Verb, string, string, object | undefined]>([
    [
      'renew',
      'post',
      renew,
      { years: 2, current_date: '2027-11-15 09:00:00', invoice_option: 'no_invoice', quote_id: 'quo_1' },
    ],
    ['lock', 'put', '/domains/{domain_id}/locked', {}],
    ['unlock', 'delete', '/domains/{domain_id}/locked', undefined],
    ['mode', 'put', '/domains/{domain_id}/renewal_mode', { renewal_mode: 'renew' }],
    ['ns', 'put', '/domains/{domain_id}/ns', { ns: ['ns1.example.net'] }],
  ])('%s is %s %s', async (verb, method, path, body) => {
    const answers = { renew: example('Order'), mode: example('RenewalMode') } as Partial<Record<Verb, unknown>>;
    api.respond(method as never, path as never, () => ({ body: answers[verb] ?? { locked: 'true', reason: null } }));
    const item = sentAs(itemOf(domain), terms, verb === 'renew' ? quote : undefined);
    const { item: after, shouldContinue } = await sendItem(verb, item);
    expect(api.requests.map((each) => [each.method, each.path, each.params.domain_id, each.body])).toEqual([
      [method, path, '5001', body],
    ]);
    expect([after.state, after.sent, shouldContinue]).toEqual(['done', undefined, true]);
  });

  test('sends a reason only if there is one', async () => {
    api.respond('put', '/domains/{domain_id}/locked', () => ({ body: { locked: 'true', reason: 'dispute' } }));
    await sendItem('lock', sentAs(itemOf(domain), { ...terms, reason: 'dispute' }, undefined));
    expect(api.requests[0]!.body).toEqual({ reason: 'dispute' });
  });

  test('keeps the row of an accepted order open, with its operation and price', async () => {
    api.respond('post', renew, () => ({
      status: 202,
      body: { ...example('Order', { operation_id: 'op_1' }), accepted_at: '2026-11-15T09:00:00Z' },
    }));
    const { item } = await sendItem('renew', sentAs(itemOf(domain), terms, quote));
    expect(item).toMatchObject({ state: 'open', operationId: 'op_1', price: { amount: '23.00' }, years: 2 });
  });

  test('repeats an order without a response with the same key, price and content, and ends the row', async () => {
    api.lose('post', renew);
    const lost = await sendItem('renew', sentAs(itemOf(domain), terms, quote));
    expect([lost.item.state, lost.shouldContinue]).toEqual(['unknown', false]);
    api.respond('post', renew, () => ({ body: example('Order') }));
    const { item } = await sendItem('renew', lost.item);
    const [first, second] = api.requests;
    expect([second!.headers.get('Idempotency-Key'), second!.body]).toEqual([
      first!.headers.get('Idempotency-Key'),
      first!.body,
    ]);
    expect(item.state).toBe('done');
  });

  test.each([
    [402, false],
    [403, false],
    [409, true],
    [400, true],
  ])('continues after the status %i: %s, and nothing was paid', async (status, goesOn) => {
    api.refuse('post', renew, status, {
      message: 'Refused.',
      errors: [{ field: 'years', code: 'invalid', message: 'Too long.' }],
    });
    const { item, shouldContinue } = await sendItem('renew', sentAs(itemOf(domain), terms, quote));
    expect([item.state, item.price, item.sent, shouldContinue]).toEqual(['refused', undefined, undefined, goesOn]);
    expect(item.message).toContain('Too long.');
  });

  test('does not send an item that was not prepared', async () => {
    const item = itemOf(domain);
    expect(await sendItem('renew', item)).toEqual({ item, shouldContinue: true });
    expect(api.requests).toEqual([]);
  });
});

test('a refused item that is tried again is a new order of the same term', () => {
  const refused = { ...itemOf(domain), state: 'refused' as const, message: 'No.', years: 2 };
  const again = ready(refused);
  expect(again).toEqual({
    name: 'a.example',
    domainId: '5001',
    expires: '2027-11-15 09:00:00',
    key: again.key,
    state: 'ready',
  });
  expect(again.key).not.toBe(refused.key);
});
