import type { TldRules } from '../model/tld.ts';
import { type TldClass, tldClassOf } from './tld-class.ts';

/** What policy grants the registrant around the end of the term. */
interface ExpiryRule {
  /** Days before the end of the term on which the registrant is notified; below zero: days after it. */
  readonly noticeDays: readonly number[];
  /** The last days before an unpaid domain is deleted, on which it does not resolve; 0: it resolves until then. */
  readonly interruptionDays: number;
}

/**
 * ICANN's Expired Registration Recovery Policy: notices about a month and about a week before and within 5 days after (2.1),
 * interruption for 8 days (2.2).
 */
const ofClass: Readonly<Record<TldClass, ExpiryRule>> = {
  generic: { noticeDays: [30, 7, 0], interruptionDays: 8 },
  // Its registry has rules of its own; the notices are harmless.
  country: { noticeDays: [30, 7, 0], interruptionDays: 0 },
};

/** The rules of the TLD, else those of its class. */
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

/** The class rule that most domains have, for the guide. */
export const usualExpiryRule = ofClass.generic;
