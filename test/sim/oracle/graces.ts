import { tldOf } from './price-table.ts';

/** Days, as in packages/sandbox/README.md; zero: no such grace period. */
interface GraceDays {
  readonly add: number;
  readonly renew: number;
  readonly transfer: number;
  readonly autoRenew: number;
  readonly review: number;
}

const usual: GraceDays = { add: 5, renew: 5, transfer: 5, autoRenew: 45, review: 0 };
const indonesian: GraceDays = { add: 0, renew: 0, transfer: 0, autoRenew: 0, review: 3 };

const byTld: Readonly<Record<string, GraceDays>> = {
  fr: { ...usual, add: 0, autoRenew: 30 },
  'co.id': indonesian,
  'my.id': indonesian,
};

export const graceDaysOf = (name: string): GraceDays => byTld[tldOf(name)] ?? usual;
/** docs/guide/auto-renew.md: a renewal by mode is tried from this many days before the end of a term; the setup checks it for each TLD. */
const usualLeadDays = 15;
export const leadDaysOf = (_name: string): number => usualLeadDays;
export const isReviewed = (name: string): boolean => graceDaysOf(name).review > 0;
