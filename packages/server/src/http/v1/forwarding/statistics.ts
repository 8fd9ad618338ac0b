import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { readStatistics, type Statistics } from '../../../core/forwarding/statistics.ts';
import { instant, word } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { domain_id } from '../domains/buy/order-fields.ts';

const counted = {
  requests: z.number().describe('How often it was asked for.'),
  bots: z.number().describe('Of these by programs, as they call themselves.'),
};

const statisticsView = z
  .object({
    domain_id: z.string(),
    domain_name: z.string(),
    from: z.string(),
    to: z.string(),
    step: z.enum(['hour', 'day']),
    ...counted,
    steps: z
      .array(z.object({ at: z.string().describe('Where it begins, UTC.'), ...counted }).meta({ id: 'ClickStep' }))
      .describe('Hours or days in which somebody came.'),
    rules: z
      .array(
        z
          .object({
            host: z.string(),
            path: z.string(),
            match: z.string(),
            ...counted,
            codes: z.record(z.string(), z.number()).describe('By the code that it was answered with.'),
            referrers: z.record(z.string(), z.number()).describe('By the host that led here, the most frequent.'),
          })
          .meta({ id: 'RuleClicks' }),
      )
      .describe('Each rule that was asked for, also one that is gone by now; the busiest first.'),
  })
  .meta({ id: 'ForwardingStatistics', description: 'How often a forwarded name was asked for.' });

function show(domain: { id: string; name: string }, { from, to, step, steps, rules }: Statistics) {
  const sum = (what: 'requests' | 'bots') => steps.reduce((total, one) => total + Number(one[what]), 0);
  return {
    domain_id: domain.id,
    domain_name: domain.name,
    from: instantText(from),
    to: instantText(to),
    step,
    requests: sum('requests'),
    bots: sum('bots'),
    steps: steps.map(({ at, requests, bots }) => ({
      at: instantText(at),
      requests: Number(requests),
      bots: Number(bots),
    })),
    rules: rules.map(({ rule, requests, bots, codes, referrers }) => {
      const [host = '', path = '', match = ''] = rule.split(' ');
      return { host, path, match, requests: Number(requests), bots: Number(bots), codes, referrers };
    }),
  };
}

export const readStatisticsRoute = route({
  method: 'GET',
  path: '/domains/{domain_id}/forwarding/statistics',
  area: 'domains',
  style: 'own',
  summary: 'Read how often a forwarded name was asked for',
  description:
    'Counted by rule and hour, a few seconds late, and kept for 13 months. Nothing about visitors is kept. Default: the last 30 days by day.',
  input: z.object({
    domain_id,
    from: instant('Beginning; 31 days before `to` at most by hour, 400 by day.').optional(),
    to: instant('End, not within it. Default: now.').optional(),
    step: word(['hour', 'day'], 'Default: day.').optional(),
  }),
  output: statisticsView,
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: {
      domain_id: '5001',
      domain_name: 'example-shop.com',
      from: '2026-10-17T11:00:00Z',
      to: '2026-11-16T11:00:00Z',
      step: 'day',
      requests: 12,
      bots: 2,
      steps: [{ at: '2026-11-15T00:00:00Z', requests: 12, bots: 2 }],
      rules: [
        {
          host: 'go',
          path: '/',
          match: 'prefix',
          requests: 12,
          bots: 2,
          codes: { '301': 12 },
          referrers: { 'news.example': 3 },
        },
      ],
    },
  },
  async answer(house, caller, input) {
    const domain = await requireDomain(house, caller, input.domain_id);
    return show(domain, await readStatistics(house, domain, input));
  },
});
