import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { readStatistics, type Statistics } from '../../../core/forwarding/statistics.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { countedTime } from './counted-time.ts';

const counted = {
  requests: z.number().describe('Number of requests.'),
  bots: z.number().describe('Requests by programs.'),
};

const statisticsView = z
  .object({
    domain_id: z.string(),
    ...counted,
    steps: z.record(z.string(), z.number()).describe('Requests by start time of each step.'),
    rules: z
      .array(
        z
          .object({
            rule: z.string().describe('Host, path and match of the rule.'),
            ...counted,
            codes: z.record(z.string(), z.number()).describe('Requests by status code.'),
            referrers: z.record(z.string(), z.number()).describe('Requests by host of the Referer.'),
          })
          .meta({ id: 'RuleClicks', description: 'Requests of a rule.' }),
      )
      .describe('Most requests first.'),
  })
  .meta({ id: 'ForwardingStatistics', description: 'Web forwarding requests of a domain.' });

function show(domain: { id: string }, { steps, rules }: Statistics) {
  const sum = (what: 'requests' | 'bots') => steps.reduce((total, one) => total + Number(one[what]), 0);
  return {
    domain_id: domain.id,
    requests: sum('requests'),
    bots: sum('bots'),
    steps: Object.fromEntries(steps.map(({ at, requests }) => [instantText(at), Number(requests)])),
    rules: rules.map(({ requests, bots, ...rest }) => ({ ...rest, requests: Number(requests), bots: Number(bots) })),
  };
}

export const readStatisticsRoute = route({
  method: 'GET',
  customer: 'read',
  path: '/domains/{domain_id}/forwarding/statistics',
  area: 'domains',
  style: 'own',
  summary: 'Read web forwarding statistics',
  description: 'By rule and hour, for 13 months. Default: 30 days.',
  input: countedTime,
  output: statisticsView,
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: {
      domain_id: '5001',
      requests: 12,
      bots: 2,
      steps: { '2026-11-15T00:00:00Z': 12 },
      rules: [
        {
          rule: 'go / prefix',
          requests: 12,
          bots: 2,
          codes: { '301': 12 },
          referrers: { 'news.example': 3 },
        },
      ],
    },
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    return show(domain, await readStatistics(ctx, domain, input));
  },
});
