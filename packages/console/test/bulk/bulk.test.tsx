import { describe, expect, test } from 'vitest';
import { messages } from '../../src/bulk/messages.ts';
import DomainList from '../../src/domains/list.tsx';
import { messages as common } from '../../src/messages/common.ts';
import { messages as operations } from '../../src/operations/messages.ts';
import { example } from '../support/api.ts';
import { speak, usePage } from '../support/dom.ts';

const page = usePage();
const renew = '/domains/{domain_id}/renew';
const lock = '/domains/{domain_id}/locked';
const domainOf = (id: string) =>
  example('Domain', { domain_id: id, domain_name: `d${id}.example`, expiry_date: '2027-11-15 09:00:00' });
const price = (amount: string) => ({ amount, currency: 'USD' });

type Quoted = { readonly body: { readonly domain_name: string; readonly years: number } };
const quote = ({ body }: Quoted): { readonly status?: number; readonly body: unknown } => ({
  body: example('Quote', {
    quote_id: `quo_${body.domain_name}_${body.years}`,
    total: price(body.years === 1 ? '11.50' : '23.00'),
  }),
});

const open = async (
  verb: keyof ReturnType<typeof messages>['verbs'],
  ids = ['1', '2', '3'],
  respond: typeof quote = quote,
) => {
  page.api
    .list('/domains', ids.map(domainOf))
    .respond('post', '/quotes', respond)
    .respond('get', '/operations/{operation_id}', () => ({ body: example('Operation') }))
    .respond('post', renew, () => ({ body: example('Order') }))
    .respond('put', lock, () => ({ body: { locked: 'true', reason: null } }));
  await page.show(DomainList, { at: '/app/domains' });
  await page.click(page.get('checkbox', common().selectAll));
  await page.click(page.button(messages().verbs[verb]));
};
const dialog = () => page.get('dialog');
const submit = () => dialog().querySelector<HTMLButtonElement>('[type=submit]');
const text = (of: Element = dialog()) => page.text(of).replaceAll('\u00a0', ' ');
const results = () => page.rows(dialog()).map((row) => row.at(-1)!);
const sentTo = (path: typeof renew | typeof lock, method: 'post' | 'put') =>
  page.api.sent(method, path).map(({ params }) => params.domain_id);

describe('a renewal of several domains', () => {
  test('shows the total, and orders each domain once at its own price', async () => {
    await open('renew');
    expect(text(submit()!)).toContain('USD 34.50');
    await page.doubleClick(submit()!);
    const orders = page.api.sent('post', renew);
    expect(orders.map(({ params, body }) => [params.domain_id, body.quote_id])).toEqual([
      ['1', 'quo_d1.example_1'],
      ['2', 'quo_d2.example_1'],
      ['3', 'quo_d3.example_1'],
    ]);
    expect(new Set(orders.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(3);
    expect(text()).toContain(messages().doneCounts.renew(3));
  });

  test.each([
    ['en', 'Nov 15, 2027 → Nov 15, 2029', 'USD 69.00'],
    ['id', '15 Nov 2027 → 15 Nov 2029', 'USD 69,00'],
  ] as const)('for another term shows the new dates and the new total (%s)', async (language, dates, total) => {
    speak(language);
    await open('renew');
    await page.type(page.field('years'), '2');
    expect(text(dialog().querySelector('tbody tr')!)).toContain(dates);
    expect(text(submit()!)).toContain(total);
  });

  test('leaves out domains without a price', async () => {
    const refused = { status: 409, body: { code: 'not_renewable', message: 'Too early.' } };
    await open('renew', undefined, (of) => (of.body.domain_name === 'd2.example' ? refused : quote(of)));
    expect(results()[1]).toContain('Too early.');
    expect(text(submit()!)).toContain('USD 23.00');
    await page.click(submit()!);
    expect(sentTo(renew, 'post')).toEqual(['1', '3']);
    expect(text()).toContain(messages().notStarted(1, messages().notStartedReasons.unpriced));
  });

  test('has no total while one price is on its way', async () => {
    await open('renew');
    const held = page.api.hold('post', '/quotes');
    await page.type(page.field('years'), '2');
    expect([text(submit()!), submit()!.disabled]).toEqual([messages().pricing, true]);
    held.release();
    await page.settle();
    expect(submit()!.disabled).toBe(false);
  });

  test('sends no more orders after a lost connection, and checks the outcome first', async () => {
    await open('renew');
    page.api.respond('post', renew, ({ params }) => {
      if (params.domain_id === '2') throw new TypeError('fetch failed');
      return { body: example('Order') };
    });
    await page.click(submit()!);
    const t = messages();
    expect(results()).toEqual([operations().states.done, t.states.unknown, t.states.ready]);
    expect(text()).toContain(t.unknownText);
    expect(text()).toContain(t.notStarted(1, t.notStartedReasons.connection));
    page.api.respond('post', renew, () => ({ body: example('Order') }));
    await page.click(page.button(t.checkStatus));
    const [, lost, again] = page.api.sent('post', renew);
    expect([again!.body, again!.headers.get('Idempotency-Key')]).toEqual([
      lost!.body,
      lost!.headers.get('Idempotency-Key'),
    ]);
    await page.click(submit()!);
    expect(sentTo(renew, 'post')).toEqual(['1', '2', '2', '3']);
  });

  test('ends at the first refusal for lack of money, which can be retried as a new order', async () => {
    await open('renew');
    page.api.refuse('post', renew, 402, { code: 'insufficient_funds', message: 'Not enough.' });
    await page.click(submit()!);
    expect([sentTo(renew, 'post'), results()[0]!.includes('Not enough.')]).toEqual([['1'], true]);
    expect(text()).toContain(messages().notStarted(2, messages().notStartedReasons.refusal));
    page.api.respond('post', renew, () => ({ body: example('Order') }));
    await page.click(page.button(messages().retryRefused(1)));
    await page.click(submit()!);
    const [first, second] = page.api.sent('post', renew);
    expect(second!.headers.get('Idempotency-Key')).not.toBe(first!.headers.get('Idempotency-Key'));
    expect(sentTo(renew, 'post')).toEqual(['1', '1', '2', '3']);
  });

  test('shows the end of operations that were in progress', async () => {
    await open('renew', ['1', '2']);
    page.api.respond('post', renew, ({ params }) => ({
      status: 202,
      body: { ...example('Order', { operation_id: `op_${params.domain_id}` }), accepted_at: '2026-11-15T09:00:00Z' },
    }));
    page.api.respond('get', '/operations/{operation_id}', ({ params }) => ({
      body: example(
        'Operation',
        params.operation_id === 'op_1' ? {} : { state: 'refused', reasons: ['Object status prohibits operation'] },
      ),
    }));
    await page.click(submit()!);
    expect(text()).toContain(`${messages().doneCounts.renew(1)}, ${messages().counts.refused(1)}`);
    expect(results()[1]).toContain('Object status prohibits operation');
  });
});

describe('a bulk action', () => {
  test('can be stopped: what is under way ends, and nothing more is sent', async () => {
    await open('lock');
    const held = page.api.hold('put', lock);
    await page.click(submit()!);
    expect(page.has('button', common().close, dialog())).toBe(false);
    await page.click(page.button(messages().stop));
    held.release();
    await page.settle();
    expect(sentTo(lock, 'put')).toEqual(['1']);
    expect(text()).toContain(
      `${messages().doneCounts.lock(1)}, ${messages().notStarted(2, messages().notStartedReasons.user)}`,
    );
  });

  test('sends the nameservers to each domain, and needs at least one', async () => {
    await open('ns');
    page.api.respond('put', '/domains/{domain_id}/ns', () => ({ body: {} }));
    expect(submit()!.disabled).toBe(true);
    await page.type(page.field('ns'), ' NS1.Example.net.\nns2.example.net ');
    await page.click(submit()!);
    expect(page.api.writes.map(({ body }) => body.ns)).toEqual(Array(3).fill(['ns1.example.net', 'ns2.example.net']));
  });

  test('sends the renewal mode that was chosen', async () => {
    await open('mode', ['1']);
    page.api.answer('put', '/domains/{domain_id}/renewal_mode', example('RenewalMode'));
    await page.type(page.field('renewal_mode'), 'delete');
    await page.click(submit()!);
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ renewal_mode: 'delete' }]);
  });

  test('offers a bulk action with an unknown outcome again, and permits only a check of its status', async () => {
    await open('lock');
    page.api.lose('put', lock);
    await page.click(submit()!);
    await page.click(page.button(common().close, page.get('dialog').querySelector('form')!));
    expect(text(page.get('status'))).toContain(messages().interrupted);
    expect(page.has('region', messages().bar)).toBe(false);
    page.api.respond('put', lock, () => ({ body: { locked: 'true', reason: null } }));
    await page.click(page.button(messages().resume));
    await page.click(page.button(messages().checkStatus));
    expect(sentTo(lock, 'put')).toEqual(['1', '1']);
  });

  test('removes a finished bulk action after it is closed', async () => {
    await open('lock', ['1']);
    await page.click(submit()!);
    await page.press('Escape');
    expect([page.has('dialog'), page.text().includes(messages().interrupted)]).toEqual([false, false]);
  });
});
