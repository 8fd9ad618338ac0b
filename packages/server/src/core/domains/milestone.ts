import type { Money } from '@namehold/base';

export type Who = 'reseller' | 'registry' | 'platform' | 'nobody';

/** Something that will happen, or that must be done by then. */
export interface Milestone {
  readonly at: Date;
  readonly what: string;
  readonly sentence: string;
  readonly who: Who;
  readonly price: Money | null;
}
