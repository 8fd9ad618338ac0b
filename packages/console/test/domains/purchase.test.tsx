import { useState } from 'preact/hooks';
import { describe, expect, test, vi } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { messages } from '../../src/domains/messages.ts';
import { Purchase, type PurchaseKind } from '../../src/domains/purchase.tsx';
import { addYears } from '../../src/domains/years.ts';
import { messages as operations } from '../../src/operations/messages.ts';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const paths = {
  renew: '/domains/{domain_id}/renew',
  restore: '/domains/{domain_id}/restore',
  privacy: '/domains/{domain_id}/privacy_protection/buy',
} as const;
const expires = '2027-11-15 09:00:00';

let amount = '11.50';
const quoteOf = (kind: string, years = 1): Schema<'Quote'> =>
  example('Quote', {
    quote_id: `quo_${kind}_${years}_${amount}`,
    kind: kind as never,
    years,
    total: { amount: years === 1 ? amount : `${years}0.00`, currency: 'USD' },
    lines: kind === 'restore' ? [{ line: 'renewal', years: 1, amount: { amount: '11.50', currency: 'USD' } }] : [],
  });

let setExpires: (at: string) => void;
function Opened({
  kind,
  onClose,
  at,
}: {
  readonly kind: PurchaseKind;
  readonly onClose: () => void;
  readonly at: string;
}) {
  const [end, setEnd] = useState(at);
  setExpires = setEnd;
  return <Purchase kind={kind} name="shop.example" domainId="5001" expires={end} onClose={onClose} />;
}

const open = async (kind: PurchaseKind, at = expires) => {
  amount = '11.50';
  page.api
    .respond('post', '/quotes', ({ body }) => ({ body: quoteOf(body.kind, body.years) }))
    .respond('post', paths[kind], () => ({ body: example('Order') }))
    .respond('get', '/operations/{operation_id}', () => ({ body: example('Operation') }));
  const onClose = vi.fn();
  await page.show(<Opened kind={kind} at={at} onClose={onClose} />);
  return onClose;
};
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;
const text = () => page.text(page.get('dialog')).replaceAll('\u00a0', ' ');
const orders = (kind: PurchaseKind) => page.api.sent('post', paths[kind]);
const keyOf = ({ headers }: { readonly headers: Headers }) => headers.get('Idempotency-Key');

describe('a purchase', () => {
  test.each<[PurchaseKind, object]>([
    ['renew', { years: 1, current_date: expires, invoice_option: 'no_invoice', quote_id: 'quo_renew_1_11.50' }],
    ['restore', { invoice_option: 'no_invoice', quote_id: 'quo_restore_1_11.50' }],
    ['privacy', { years: 1, invoice_option: 'no_invoice', quote_id: 'quo_privacy_1_11.50' }],
  ])('sends a purchase to %s once, at the price of the button', async (kind, body) => {
    await open(kind);
    expect(page.text(submit()).replaceAll('\u00a0', ' ')).toContain('USD 11.50');
    await page.doubleClick(submit());
    expect(orders(kind).map((each) => each.body)).toEqual([body]);
    expect(text()).toContain(operations().technicalDetails);
  });

  test('pays the purchase of a customer from its balance', async () => {
    signIn({ account: { scopes: ['domains:write'] }, customer: { customer_id: '7', access: 'order' } });
    await open('renew');
    expect(text()).not.toContain(messages().ownCost);
    await page.click(submit());
    expect(orders('renew')[0]!.body.invoice_option).toBe('pay_invoice');
  });

  test.each([
    ['en', ['Nov 15, 2027', 'Nov 15, 2029', 'USD 20.00']],
    ['id', ['15 Nov 2027', '15 Nov 2029', 'USD 20,00']],
  ] as const)('shows both dates and the total for the term (%s)', async (language, parts) => {
    speak(language);
    await open('renew');
    await page.type(page.field('years'), '2');
    for (const part of parts) expect(text()).toContain(part);
  });

  test('shows no price for another term until it is known', async () => {
    await open('renew');
    const held = page.api.hold('post', '/quotes');
    await page.type(page.field('years'), '3');
    expect([submit().disabled, page.text(submit())]).toEqual([true, messages().pricing]);
    held.release();
    await page.settle();
    expect([submit().disabled, page.text(submit()).includes('30.00')]).toEqual([false, true]);
  });

  test('shows why there is no price', async () => {
    await open('restore');
    await page.leave();
    page.api.refuse('post', '/quotes', 409, { code: 'not_restorable', message: 'Too late.' });
    await page.show(
      <Purchase kind="restore" name="shop.example" domainId="5002" expires={expires} onClose={vi.fn()} />,
    );
    expect([submit().disabled, page.text(submit()), text().includes('Too late.')]).toEqual([
      true,
      messages().notNow,
      true,
    ]);
  });

  test('prompts again after a price change, and orders at the accepted price', async () => {
    await open('renew');
    amount = '12.50';
    page.api.refuse('post', paths.renew, 409, { code: 'price_guard' });
    await page.click(submit());
    expect(text()).toContain('from USD 11.50 to USD 12.50');
    expect(submit().disabled).toBe(true);
    page.api.respond('post', paths.renew, () => ({ body: example('Order') }));
    await page.click(page.button(/12\.50/, page.get('alert')));
    await page.click(submit());
    const [first, second] = orders('renew');
    expect([first!.body.quote_id, second!.body.quote_id]).toEqual(['quo_renew_1_11.50', 'quo_renew_1_12.50']);
    expect(keyOf(second!)).not.toBe(keyOf(first!));
  });

  test('repeats a purchase with a lost response with the same key', async () => {
    await open('renew');
    page.api.lose('post', paths.renew);
    await page.click(submit());
    expect(page.has('alert')).toBe(true);
    page.api.respond('post', paths.renew, () => ({ body: example('Order') }));
    await page.click(submit());
    const [first, second] = orders('renew');
    expect([keyOf(second!), second!.body]).toEqual([keyOf(first!), first!.body]);
  });

  test('shows a blocking operation as that of another user', async () => {
    await open('renew');
    page.api.refuse('post', paths.renew, 409, { code: 'operation_in_progress', operation_id: 'op_9' });
    await page.click(submit());
    expect(page.text(page.get('alert'))).toBe(messages().otherOrderInProgress);
  });

  test('does not continue from an expiry that changed meanwhile, until the user has seen it', async () => {
    await open('renew');
    setExpires('2028-11-15 09:00:00');
    await page.settle();
    expect([submit().disabled, text().includes('Nov 15, 2028')]).toEqual([true, true]);
    await page.click(page.button(/Nov 15, 2028/));
    await page.click(submit());
    expect(orders('renew').map(({ body }) => body.current_date)).toEqual(['2028-11-15 09:00:00']);
  });

  test('does not take another time of the same day for another renewal', async () => {
    await open('renew');
    setExpires('2027-11-15 10:30:00');
    await page.settle();
    expect([submit().disabled, page.has('alert')]).toEqual([false, false]);
  });

  test('shows no dates for a domain without an expiry date', async () => {
    await open('renew', '');
    expect([submit().disabled, text().includes('Invalid')]).toEqual([false, false]);
  });
});

test.each([
  ['2024-02-29T12:00:00Z', 1, '2025-02-28T12:00:00.000Z'],
  ['2024-02-29T12:00:00Z', 4, '2028-02-29T12:00:00.000Z'],
  ['2026-12-31T23:59:59Z', 10, '2036-12-31T23:59:59.000Z'],
])('%s and %i years is %s', (from, years, to) => {
  expect(addYears(new Date(from), years).toISOString()).toBe(to);
});
