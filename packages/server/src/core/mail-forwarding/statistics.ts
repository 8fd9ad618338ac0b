import type { Domain } from '../domains/domain.ts';
import type { ClickPeriod } from '../forwarding/clicks.sql.ts';
import { periodOf } from '../forwarding/statistics.ts';
import type { House } from '../house.ts';
import { type MailStep, mailSteps } from './counts.sql.ts';

/** How much mail came for a name, and what became of it. */
export function readMailStatistics(
  house: House,
  domain: Domain,
  asked: Parameters<typeof periodOf>[1],
): Promise<MailStep[]> {
  const period: ClickPeriod = periodOf(house, asked);
  return mailSteps(house.db.as(domain.reseller_id), domain, period);
}
