import { money } from '@namehold/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../src/core/pricing/csv.ts';
import type { Rule } from '../../src/core/pricing/price.ts';
import { applyRule, chooseRule } from '../../src/core/pricing/rule.ts';

const all = { tld: null, action: null, rounding: null };

test('chooses the most specific rule', () => {
  const general: Rule = { ...all, kind: 'percent', basisPoints: 1 };
  const byAction: Rule = { ...general, action: 'create' };
  const byTld: Rule = { ...general, tld: 'com' };
  const both: Rule = { ...general, tld: 'com', action: 'create' };
  const fixed: Rule = { ...all, kind: 'fixed', amount: 1n, currency: 'EUR' };
  const rules = [general, byAction, byTld, both, fixed];
  expect(chooseRule(rules, 'com', 'create', 'USD')).toBe(both);
  expect(chooseRule(rules, 'com', 'renew', 'USD')).toBe(byTld);
  expect(chooseRule(rules, 'net', 'create', 'USD')).toBe(byAction);
  expect(chooseRule(rules, 'net', 'renew', 'USD')).toBe(general);
  expect(chooseRule(rules, 'net', 'renew', 'EUR')).toBe(fixed);
  expect(chooseRule([fixed], 'net', 'renew', 'USD')).toBeUndefined();
});

test('computes percentages exactly, and rounds up to the ending by less than one step', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.bigInt({ min: 1n, max: 100_000n }),
      fc.nat(),
      (base, basisPoints, step, seed) => {
        const ending = BigInt(seed) % step;
        const plain = applyRule({ ...all, kind: 'percent', basisPoints }, money(base, 'USD'), 1)!.amount;
        const exact = base * 10_000n + base * BigInt(basisPoints);
        const error = plain * 10_000n - exact;
        expect(error > -5_000n && error <= 5_000n).toBe(true);
        const lifted = applyRule(
          { ...all, rounding: { step, ending }, kind: 'percent', basisPoints },
          money(base, 'USD'),
          1,
        )!.amount;
        expect(lifted % step).toBe(ending);
        expect(lifted >= plain && lifted - plain < step).toBe(true);
      },
    ),
    { seed: 27, numRuns: 500 },
  );
});

test('returns no price for a discount below zero', () => {
  expect(applyRule({ ...all, kind: 'fixed', amount: -5n, currency: 'USD' }, money(4n, 'USD'), 1)).toBeUndefined();
});

test('parses quoted CSV fields that contain quotes and line breaks', () => {
  expect(parseCsv('a,"b ""x"", y"\r\n\n"two\nlines",c')).toEqual([
    { line: 1, fields: ['a', 'b "x", y'] },
    { line: 3, fields: ['two\nlines', 'c'] },
  ]);
});
