import { describe, expect, test } from 'vitest';
import { messages } from '../../src/resellers/messages.ts';
import ResellerPage from '../../src/resellers/reseller.tsx';
import ResellerTree from '../../src/resellers/tree.tsx';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const limitPath = '/resellers/{reseller_id}/credit_limit';
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;

describe('a sub-reseller', () => {
  const open = async (limit = '1000.00', currency = 'USD', status: 'Active' | 'Suspended' = 'Active') => {
    const money = { amount: limit, currency };
    page.api
      .respond('get', '/resellers/{reseller_id}', () => ({
        body: example('Reseller', { reseller_id: '1001', selling_currency: currency, status } as never),
      }))
      .respond('get', '/resellers/{reseller_id}/funds', () => ({
        body: { ...example('Funds'), balance: money, held: money, credit_limit: money, currency },
      }));
    await page.show(ResellerPage, { at: '/app/resellers/1001', route: '/app/resellers/:id' });
  };

  // Three decimals look like a thousand in Indonesian, and the limit would be a thousand times as high.
  test.each([
    ['en', '100.000', 'KWD'],
    ['id', '100.000', 'KWD'],
    ['id', '1000.50', 'USD'],
    ['id', '250000', 'IDR'],
  ] as const)('in %s keeps the credit limit of %s %s that was not changed', async (language, limit, currency) => {
    speak(language);
    await open(limit, currency);
    page.api.respond('put', limitPath, () => ({ body: { credit_limit: { amount: limit, currency } } }));
    await page.click(page.button(messages().setLimit));
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ credit_limit: limit }]);
  });

  test('keeps the dialog if the limit is refused', async () => {
    await open();
    page.api.refuse('put', limitPath, 400, {
      errors: [{ field: 'credit_limit', code: 'invalid', message: 'Too high.' }],
    });
    await page.click(page.button(messages().setLimit));
    await page.type(page.field('credit_limit'), '5,000');
    await page.click(submit());
    expect([page.errorAt('credit_limit'), page.api.writes[0]!.body]).toEqual(['Too high.', { credit_limit: '5000' }]);
  });

  test.each([
    ['Active', 'suspend', { reason: 'unpaid' }],
    ['Suspended', 'activate', undefined],
  ] as const)('that is %s can be changed by %s', async (status, verb, body) => {
    await open('0.00', 'USD', status);
    const path = `/resellers/{reseller_id}/${verb}` as const;
    page.api.answer('post', path);
    await page.click(page.button(messages()[verb]));
    if (body) await page.type(page.field('reason'), ' unpaid ');
    await page.doubleClick(submit());
    expect(page.api.writes.map((each) => [each.path, each.body])).toEqual([[path, body]]);
  });

  test('shows no money to users who may not read it', async () => {
    signIn({ account: { scopes: ['resellers:read'] } });
    await open();
    expect([page.has('region', messages().money), page.has('button', messages().suspend)]).toEqual([false, false]);
  });
});

describe('the tree', () => {
  test('reads the balance of each account only with permission', async () => {
    page.api
      .list('/resellers', [example('Reseller', { reseller_id: '1001' }), example('Reseller', { reseller_id: '1002' })])
      .respond('get', '/account/funds', () => ({ body: example('Funds') }))
      .respond('get', '/resellers/{reseller_id}/funds', () => ({ body: example('Funds') }));
    await page.show(ResellerTree, { at: '/app/resellers' });
    expect(page.api.sent('get', '/resellers/{reseller_id}/funds').map(({ params }) => params.reseller_id)).toEqual([
      '1001',
      '1002',
    ]);
    await page.leave();
    signIn({ account: { scopes: ['resellers:read'] } });
    await page.show(ResellerTree, { at: '/app/resellers' });
    expect(page.api.sent('get', '/resellers/{reseller_id}/funds')).toHaveLength(2);
  });
});
