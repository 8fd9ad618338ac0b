import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import type { MailStep } from '../../../core/mail-forwarding/counts.sql.ts';
import { readMailStatistics } from '../../../core/mail-forwarding/statistics.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { countedTime } from '../forwarding/counted-time.ts';

const counts = z.record(z.string(), z.number());
const statisticsView = z
  .object({
    domain_id: z.string(),
    messages: counts.describe('forwarded, deferred, refused, spam, limited, bounced.'),
    steps: z.record(z.string(), counts).describe('The same by start time of each step.'),
  })
  .meta({ id: 'MailStatistics', description: 'Mail received for a domain.' });

function show(domainId: string, rows: readonly MailStep[]): z.output<typeof statisticsView> {
  const messages: Record<string, number> = {};
  const steps: Record<string, Record<string, number>> = {};
  for (const { at, outcome, messages: count } of rows) {
    messages[outcome] = (messages[outcome] ?? 0) + Number(count);
    steps[instantText(at)] = { ...steps[instantText(at)], [outcome]: Number(count) };
  }
  return { domain_id: domainId, messages, steps };
}

export const readMailStatisticsRoute = route({
  method: 'GET',
  customer: 'read',
  path: '/domains/{domain_id}/email_forwarding/statistics',
  area: 'domains',
  style: 'own',
  summary: 'Read mail forwarding statistics',
  description: 'By result, for 13 months. Default: 30 days.',
  input: countedTime,
  output: statisticsView,
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: { domain_id: '5001', messages: { forwarded: 12 }, steps: { '2026-11-15T00:00:00Z': { forwarded: 12 } } },
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    return show(domain.id, await readMailStatistics(ctx, domain, input));
  },
});
