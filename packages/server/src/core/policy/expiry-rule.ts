import type { TldRules } from '../tlds/tld.ts';
import { type TldClass, tldClassOf } from './tld-class.ts';

/** What is owed to the holder of a name around the end of its term. */
export interface ExpiryRule {
  /** Days before the end of the term on which the holder is told; below zero: so many days after it. */
  readonly noticeDays: readonly number[];
  /** The last days before an unpaid name is deleted, on which it does not resolve; 0: it resolves until then. */
  readonly interruptionDays: number;
}

/** ICANN's Expired Registration Recovery Policy: told about a month and about a week before and within 5 days after (2.1), interrupted for 8 days (2.2). */
const ofClass: Readonly<Record<TldClass, ExpiryRule>> = {
  generic: { noticeDays: [30, 7, 0], interruptionDays: 8 },
  // Its registry has rules of its own; to be told harms nobody.
  country: { noticeDays: [30, 7, 0], interruptionDays: 0 },
};

/** What the rules of the TLD say, else those of its class. */
export function expiryRuleOf(
  tld: string,
  rules: Pick<TldRules, 'expiry_notice_days' | 'interruption_days'>,
): ExpiryRule {
  const usual = ofClass[tldClassOf(tld)];
  return {
    noticeDays: rules.expiry_notice_days ?? usual.noticeDays,
    interruptionDays: rules.interruption_days ?? usual.interruptionDays,
  };
}

/** The class rule that most names have, for the guide. */
export const usualExpiryRule = ofClass.generic;
