import type { Money } from '@namehold/base';

export type Who = 'reseller' | 'registry' | 'platform' | 'nobody';

/** An event that will happen, or a deadline for an action. */
export interface Milestone {
  readonly at: Date;
  readonly what: string;
  readonly sentence: string;
  readonly who: Who;
  readonly price: Money | null;
}
