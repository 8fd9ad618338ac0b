import { costOf } from '../cost.ts';
import type { Step } from './step.ts';

/**
 * Charges expensive calls to a second budget, of the whole account.
 *
 * Failure: 429 with Retry-After; the client repeats later.
 * Limit: `NAMEHOLD_COST_LIMIT_PER_MINUTE`.
 */
export const chargeCost: Step = async ({ definition, caller, input }, { ctx, rates, refusals }) => {
  const units = costOf(definition, input!);
  if (units === 0) return;
  const { resellerId } = caller!;
  const perMinute = ctx.config.costLimitPerMinute;
  await refusals.countThrottled(resellerId, () =>
    rates.take(`cost:${resellerId}`, perMinute, { units, what: 'units of work' }),
  );
};
