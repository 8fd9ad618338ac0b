import { describe, expect, test, vi } from 'vitest';
import { call } from '../../src/api/call.ts';
import { Fund } from '../../src/money/fund.tsx';
import { speak, usePage } from '../support/dom.ts';

const page = usePage();
const path = '/customers/{customer_id}/transactions/fund';

const open = async (currency = 'USD') => {
  const onClose = vi.fn();
  const send = (body: { amount: string; description: string }, idempotencyKey: string) =>
    call('post', path, { path: { customer_id: '7' }, body }, { idempotencyKey });
  await page.show(
    <Fund of={`customers/${crypto.randomUUID()}`} name="Budi" currency={currency} send={send} onClose={onClose} />,
  );
  return onClose;
};
/** Types the input that the service requires. */
const fill = async (amount: string, description = 'Bank transfer') => {
  await page.type(page.field('amount'), amount);
  await page.type(page.field('description'), description);
};
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;
const amountsSent = () => page.api.sent('post', path).map(({ body }) => body.amount);
const keysSent = () => page.api.sent('post', path).map(({ headers }) => headers.get('Idempotency-Key'));

describe('the button', () => {
  test.each([
    ['en', 'USD', '1,234.5', '1,234.50'],
    ['id', 'USD', '1.234,5', '1.234,50'],
    ['id', 'IDR', '250.000', '250.000'],
    ['en', 'KWD', '0.125', '0.125'],
  ] as const)('in %s names the sum of %s %s', async (language, currency, typed, shown) => {
    speak(language);
    await open(currency);
    await page.type(page.field('amount'), typed);
    expect(page.text(submit()).replaceAll('\u00a0', ' ')).toContain(`${currency} ${shown}`);
  });

  test.each(['', '0', '0.00', 'ten', '-5'])('names no sum for "%s"', async (typed) => {
    await open();
    const before = page.text(submit());
    await page.type(page.field('amount'), typed);
    expect(page.text(submit())).toBe(before);
  });
});

describe('sending', () => {
  test('sends the amount as decimal text, and the description, once', async () => {
    page.api.answer('post', path);
    const onClose = await open();
    speak('id');
    await fill('1.250,75', '<b>Transfer</b> BCA');
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([
      { amount: '1250.75', description: '<b>Transfer</b> BCA' },
    ]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('repeats the request with the same key after a lost response', async () => {
    page.api.lose('post', path);
    const onClose = await open();
    await fill('10');
    await page.click(submit());
    expect(onClose).not.toHaveBeenCalled();
    expect(page.field('amount').value).toBe('10');
    page.api.answer('post', path);
    await page.click(submit());
    expect(amountsSent()).toEqual(['10', '10']);
    expect(new Set(keysSent()).size).toBe(1);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('shows the error of a refusal at its field, keeps the input, and sends with a new key', async () => {
    page.api.refuse('post', path, 400, { errors: [{ field: 'amount', code: 'invalid', message: 'Too small.' }] });
    const onClose = await open();
    await fill('0.001');
    await page.click(submit());
    expect(page.errorAt('amount')).toBe('Too small.');
    expect(document.activeElement).toBe(page.field('amount'));
    page.api.answer('post', path);
    await page.type(page.field('amount'), '0.01');
    expect(page.errorAt('amount')).toBeUndefined();
    await page.click(submit());
    expect(new Set(keysSent()).size).toBe(2);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test.each([403, 409, 500, 503])('keeps the dialog open with an alert after status %i', async (status) => {
    page.api.refuse('post', path, status, { message: 'Not now.' });
    const onClose = await open();
    await fill('5');
    await page.click(submit());
    expect(page.has('alert')).toBe(true);
    expect(page.text(page.get('alert'))).toContain('req_1');
    expect(onClose).not.toHaveBeenCalled();
  });
});
