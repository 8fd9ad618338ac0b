import { utcDate, type With } from '../../model/domain.ts';
import { privacyMethodOf, type TldRules } from '../../model/tld.ts';
import type { RenewalOrder } from '../buy/renew.ts';

/**
 * The renewal order of a background job: the shortest period of the TLD, with the present privacy protection. Its current date is the
 * end of the term after which it renews.
 */
export function automaticOrder(domain: With<'end_date'>, rules: TldRules, maxPrice: string | null): RenewalOrder {
  return {
    domain: domain.id,
    customerId: undefined,
    years: rules.periods.min_years,
    currentDate: utcDate(domain.end_date),
    privacy: domain.privacy_enabled && privacyMethodOf(rules) !== null,
    guard: maxPrice === null ? {} : { maxPrice },
    automatic: true,
  };
}
