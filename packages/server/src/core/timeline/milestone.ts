import type { QuoteDraft } from '../quotes/draft.ts';

export type Who = 'reseller' | 'registry' | 'platform' | 'nobody';

/** An event that will happen, or a deadline for an action. */
export interface Milestone {
  readonly at: Date;
  readonly what: string;
  readonly sentence: string;
  readonly who: Who;
  readonly price: Pick<QuoteDraft, 'total' | 'lines'> | null;
}
