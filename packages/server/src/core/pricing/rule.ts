import { type Money, percentOf } from '@namehold/base';
import type { PriceAction, Rounding, Rule } from './price.ts';

/** The price that a rule makes from what its owner pays; undefined if it would be below zero. */
export function applyRule(rule: Rule, base: Money, years: number): Money | undefined {
  const added = rule.kind === 'percent' ? percentOf(base.amount, rule.basisPoints) : rule.amount * BigInt(years);
  const amount = lift(base.amount + added, rule.rounding);
  return amount < 0n ? undefined : { amount, currency: base.currency };
}

/** Rounded up only: rounding must not reduce the margin. */
function lift(amount: bigint, rounding: Rounding | null): bigint {
  if (!rounding) return amount;
  const { step, ending } = rounding;
  const beyond = (((amount - ending) % step) + step) % step;
  return beyond === 0n ? amount : amount - beyond + step;
}

/** The most specific rule that fits: a TLD counts more than an action, an action more than a currency. */
export function chooseRule(
  rules: readonly Rule[],
  tld: string,
  action: PriceAction,
  currency: string,
): Rule | undefined {
  let best: Rule | undefined;
  let bestRank = -1;
  for (const rule of rules) {
    if (rule.tld !== null && rule.tld !== tld) continue;
    if (rule.action !== null && rule.action !== action) continue;
    if (rule.kind === 'fixed' && rule.currency !== currency) continue;
    const rank = (rule.tld === null ? 0 : 4) + (rule.action === null ? 0 : 2) + (rule.kind === 'fixed' ? 1 : 0);
    if (rank > bestRank) {
      best = rule;
      bestRank = rank;
    }
  }
  return best;
}
