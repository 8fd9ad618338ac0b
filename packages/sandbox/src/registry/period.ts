import type { Period } from '@namehold/epp';
import type { SandboxTld } from '../tlds/index.ts';
import { refuse } from './refusal.ts';

const monthsAYear = 12;

/** Whole years; one if the command has no period (RFC 5731 3.2.1 leaves that to the server). */
export function readYears(tld: SandboxTld, period: Period | undefined): number {
  if (period === undefined) return tld.rules.minPeriodYears;
  if (period.unit === 'm' && period.value % monthsAYear !== 0) refuse(2004, 'periods are whole years');
  const years = period.unit === 'm' ? period.value / monthsAYear : period.value;
  if (years < tld.rules.minPeriodYears || years > tld.rules.maxPeriodYears) {
    refuse(2004, `a period under .${tld.tld} is ${tld.rules.minPeriodYears} to ${tld.rules.maxPeriodYears} years`);
  }
  return years;
}
