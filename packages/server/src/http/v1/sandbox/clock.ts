import { z } from 'zod';
import { moveTime } from '../../../core/sandbox/sandbox.ts';
import { text } from '../../field.ts';
import { type Route, route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { preferences } from '../domains/operation-answer.ts';

const clockView = z
  .object({
    now: z.string().describe('Current time of domains, prices and the registry.'),
    caught_up: z.boolean().describe('False: some due actions are still being processed.'),
  })
  .meta({ id: 'SandboxClock', description: 'The business clock of a sandbox.' });

const common = {
  path: '/sandbox/clock',
  area: 'domains',
  style: 'own',
  isSandboxOnly: true,
  output: clockView,
} as const;
const example = { now: '2027-12-20T09:00:00Z', caught_up: true };

export const sandboxClockRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    summary: 'Read the business clock of the sandbox',
    description:
      'Sandbox mode only. Domains, prices and the sandbox registry use this clock. Keys, limits and TLS do not.',
    input: z.object({}),
    errors: [],
    example: { output: example },
    answer: async (ctx) => ({ now: instantText(ctx.clock.now()), caught_up: true }),
  }),
  route({
    ...common,
    method: 'POST',
    summary: 'Move the business clock of the sandbox',
    description:
      'Sandbox mode only. Moves the time of the service and of the sandbox registry forward, for all accounts. When the response is sent, the registry has processed everything due. The service has too, unless `caught_up` is false. `Prefer: wait=n` sets how long to wait.',
    input: z.object({
      move: text({ max: 20, about: 'How far: +30d, +12h, +45m, +10s, +2w.', example: '+10s' }),
    }),
    errors: ['unavailable'],
    example: { input: { move: '+10s' }, output: example },
    answer: async (ctx, caller, input) => {
      const { now, isCaughtUp } = await moveTime(ctx, input.move, preferences(caller, ctx).waitMs);
      return { now: instantText(now), caught_up: isCaughtUp };
    },
  }),
];
