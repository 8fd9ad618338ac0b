import { tldOf } from './price-table.ts';

/** Days, as packages/sandbox/README.md has them; zero: there is no such grace. */
export interface GraceDays {
  readonly add: number;
  readonly renew: number;
  readonly autoRenew: number;
  readonly review: number;
}

const usual: GraceDays = { add: 5, renew: 5, autoRenew: 45, review: 0 };
const indonesian: GraceDays = { add: 0, renew: 0, autoRenew: 0, review: 3 };

const byTld: Readonly<Record<string, GraceDays>> = {
  fr: { ...usual, add: 0, autoRenew: 30 },
  'co.id': indonesian,
  'my.id': indonesian,
};

export const graceDaysOf = (name: string): GraceDays => byTld[tldOf(name)] ?? usual;
export const isReviewed = (name: string): boolean => graceDaysOf(name).review > 0;
