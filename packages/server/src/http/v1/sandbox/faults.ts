import { z } from 'zod';
import type { SandboxFault } from '../../../core/app-context.ts';
import { endFaults, readFaults, turnFault } from '../../../core/sandbox/sandbox.ts';
import { amount, integer, list, text } from '../../field.ts';
import { type Route, route } from '../../route.ts';

export const faultList = z
  .array(z.looseObject({ kind: z.string().describe('What goes wrong.') }))
  .describe('Those that are set, with all that was said of them.');

const faultsView = z
  .object({ faults: faultList })
  .meta({ id: 'SandboxFaults', description: 'What the sandbox registry does wrong just now.' });
const show = (faults: readonly SandboxFault[]) => ({ faults: [...faults] });
const common = {
  path: '/sandbox/faults',
  area: 'domains',
  style: 'own',
  isSandboxOnly: true,
  output: faultsView,
} as const;
const example = { faults: [{ id: '1', kind: 'delay', rate: 1, seed: 1, ms: 5, struck: 0 }] };

export const sandboxFaultRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    summary: 'Read what the sandbox registry does wrong',
    description: 'Sandbox mode only. An empty list: it behaves.',
    input: z.object({}),
    errors: ['unavailable'],
    example: { output: { faults: [] } },
    answer: async (ctx) => show(await readFaults(ctx)),
  }),
  route({
    ...common,
    method: 'PUT',
    summary: 'Make the sandbox registry misbehave',
    description:
      'Sandbox mode only. Sets this fault and no other, for everybody: answers that never come, come late or broken, refusals, lost messages. A fault strikes a share of the commands (`rate`), chosen by `seed`, so that a run can be repeated.',
    input: z.object({
      kind: text({
        max: 40,
        about: 'What goes wrong: drop-after-commit, drop-before, delay, 2400, poll-lost and others.',
        example: 'delay',
      }),
      rate: amount('Share of the commands that it strikes, 0 to 1; all of them without it.').optional(),
      seed: integer({ min: 0, max: 4_294_967_295, about: 'Seed of the choice.' }).optional(),
      commands: list({ max: 20, about: 'Only these commands, such as domain:create or renew.' }).optional(),
      name: text({ max: 253, about: 'Only commands about this name.' }).optional(),
      ms: integer({ min: 0, max: 3_600_000, about: 'Length of a delay.' }).optional(),
      limit: integer({ min: 0, max: 1_000_000, about: 'At most so many times.' }).optional(),
    }),
    errors: ['unavailable'],
    example: { input: { kind: 'delay', ms: 5 }, output: example },
    answer: async (ctx, _caller, { rate, ...input }) =>
      show(await turnFault(ctx, { ...input, ...(rate === undefined ? {} : { rate: Number(rate) }) })),
  }),
  route({
    ...common,
    method: 'DELETE',
    summary: 'Let the sandbox registry behave again',
    description: 'Sandbox mode only. Ends every fault, also those that were set elsewhere.',
    input: z.object({}),
    errors: ['unavailable'],
    example: { output: { faults: [] } },
    answer: async (ctx) => show(await endFaults(ctx)),
  }),
];
