import { describe, expect, test, vi } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { Simulate } from '../../src/money/simulate.tsx';
import { example } from '../support/api.ts';
import { speak, usePage } from '../support/dom.ts';

const page = usePage();
const path = '/account/price_rules';
type Rule = Schema<'PriceRule'>;

const usual: Rule = example('PriceRules').rules[0]!;
const prices = { before: {}, after: {} };
const answered = { ...example('PriceRules'), prices };

const open = async (rules: readonly Rule[] = [usual], currency = 'USD') => {
  const onClose = vi.fn();
  page.api.respond('put', path, () => ({ body: answered }));
  await page.show(<Simulate rules={{ ...example('PriceRules'), currency, rules: [...rules] }} onClose={onClose} />);
  return onClose;
};
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('.actions .primary')!;
const bodies = () => page.api.sent('put', path).map(({ body }) => body);
const figure = () => page.field('rules.0.percent');

describe('the default rule', () => {
  test('is sent unchanged if nothing was typed: first as a preview, then to be saved', async () => {
    const onClose = await open();
    await page.click(submit());
    expect(onClose).not.toHaveBeenCalled();
    await page.click(submit());
    const rules = [{ kind: 'percent', percent: '20.00', rounding_step: '1.00', rounding_ending: '0.99' }];
    expect(bodies()).toEqual([
      { audience: 'customer', rules, dry_run: true },
      { audience: 'customer', rules },
    ]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  // A fixed amount of three decimals, as in Kuwaiti dinars, looks like a thousand in Indonesian.
  test.each(['en', 'id'] as const)('keeps amounts in %s with three decimals', async (language) => {
    speak(language);
    const fixed: Rule = {
      ...usual,
      kind: 'fixed',
      percent: null,
      amount: { amount: '1.250', currency: 'KWD' },
      rounding_step: '0.500',
      rounding_ending: null,
    };
    await open([fixed], 'KWD');
    await page.click(submit());
    expect(bodies()[0].rules).toEqual([{ kind: 'fixed', amount: '1.250', rounding_step: '0.500' }]);
  });

  test('replaces only itself: rules of a TLD or an action are sent as they are, rules of sub-resellers are not sent', async () => {
    const others: Rule[] = [
      { ...usual, tld: 'com', percent: '10.00', rounding_step: null, rounding_ending: null },
      { ...usual, action: 'renew', kind: 'fixed', percent: null, amount: { amount: '2.00', currency: 'USD' } },
      { ...usual, audience: 'reseller', percent: '5.00' },
    ];
    await open([...others, usual]);
    await page.type(figure(), '12,5');
    await page.click(submit());
    expect(bodies()[0].rules).toEqual([
      { kind: 'percent', percent: '12.5', rounding_step: '1.00', rounding_ending: '0.99' },
      { tld: 'com', kind: 'percent', percent: '10.00' },
      {
        action: 'renew',
        kind: 'fixed',
        amount: '2.00',
        currency: 'USD',
        rounding_step: '1.00',
        rounding_ending: '0.99',
      },
    ]);
  });

  test('has no ending without a rounding step', async () => {
    await open();
    await page.type(page.field('rules.0.rounding_step'), ' ');
    await page.click(submit());
    expect(bodies()[0].rules).toEqual([{ kind: 'percent', percent: '20.00' }]);
  });
});

describe('a preview', () => {
  test('is required again after each change of the input', async () => {
    await open();
    await page.click(submit());
    await page.type(figure(), '30');
    await page.click(submit());
    expect(bodies().map(({ dry_run }) => dry_run)).toEqual([true, true]);
  });

  test('does not allow saving an input that was not previewed', async () => {
    await open();
    const held = page.api.hold('put', path);
    await page.click(submit());
    await page.type(figure(), '99');
    held.release();
    await page.settle();
    await page.click(submit());
    expect(bodies().map(({ dry_run }) => dry_run)).toEqual([true, true]);
    expect(bodies().at(-1).rules[0].percent).toBe('99');
  });

  test('shows the error of a refused preview at the default rule, and saves nothing', async () => {
    const onClose = await open();
    page.api.refuse('put', path, 400, {
      errors: [{ field: 'rules.0.percent', code: 'invalid', message: 'Too large.' }],
    });
    await page.type(figure(), '9000');
    await page.click(submit());
    expect(page.errorAt('rules.0.percent')).toBe('Too large.');
    expect(onClose).not.toHaveBeenCalled();
  });
});
