import { z } from 'zod';
import type { QuoteDraft } from '../../../../core/quotes/draft.ts';
import { checkPriceGuard, type PriceGuard } from '../../../../core/quotes/guard.ts';
import { dryRunView, showDryRun } from '../../quotes/quote-view.ts';
import { orderView } from '../operation-answer.ts';

/** What a billable call answers: the fields of the order, or with dry_run=true those that say what it would cost and what would happen. */
export const orderOrDryRun = z.object({
  ...orderView.partial().shape,
  ...dryRunView.partial().shape,
  domain_name: z.string().nullable(),
});

/** Holds the guard against the price as the order itself would. */
export function answerDryRun(draft: QuoteDraft, guard: PriceGuard): z.output<typeof dryRunView> {
  checkPriceGuard(draft, guard);
  return showDryRun(draft);
}
