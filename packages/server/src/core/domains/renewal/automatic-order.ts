import { privacyMethodOf, type TldRules } from '../../tlds/tld.ts';
import type { RenewalOrder } from '../buy/renew.ts';
import { utcDate, type With } from '../domain.ts';

/**
 * The renewal that the clockwork orders: the shortest that the TLD knows, with the privacy protection that the name has. Its current date
 * is the end of the very term that it is for.
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
