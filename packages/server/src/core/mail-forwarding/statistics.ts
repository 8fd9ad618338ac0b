import type { AppContext } from '../app-context.ts';
import type { ClickPeriod } from '../forwarding/clicks.sql.ts';
import { periodOf } from '../forwarding/statistics.ts';
import type { Domain } from '../model/domain.ts';
import { type MailStep, mailSteps } from './counts.sql.ts';

/** Messages for a domain, by outcome. */
export function readMailStatistics(
  ctx: AppContext,
  domain: Domain,
  requested: Parameters<typeof periodOf>[1],
): Promise<MailStep[]> {
  const period: ClickPeriod = periodOf(ctx, requested);
  return mailSteps(ctx.db.as(domain.reseller_id), domain, period);
}
