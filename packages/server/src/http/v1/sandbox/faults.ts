import { z } from 'zod';
import type { SandboxFault } from '../../../core/ports/sandbox.ts';
import { endFaults, readFaults, switchFault } from '../../../core/sandbox/sandbox.ts';
import { amount, integer, list, text } from '../../field.ts';
import { type Route, route } from '../../route.ts';

export const faultList = z
  .array(z.looseObject({ kind: z.string().describe('The fault.') }))
  .describe('The active faults with their options.');

const faultsView = z
  .object({ faults: faultList })
  .meta({ id: 'SandboxFaults', description: 'Active faults of the sandbox registry.' });
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
    summary: 'Read the faults of the sandbox registry',
    description: 'Sandbox mode only. An empty list: no faults.',
    input: z.object({}),
    errors: ['unavailable'],
    example: { output: { faults: [] } },
    answer: async (ctx) => show(await readFaults(ctx)),
  }),
  route({
    ...common,
    method: 'PUT',
    summary: 'Inject a fault into the sandbox registry',
    description:
      'Sandbox mode only. Replaces all faults by this one, for all accounts: missing, late or malformed responses, refusals, lost messages. A fault affects a share of the commands (`rate`), selected by `seed`, so that a run can be repeated.',
    input: z.object({
      kind: text({
        max: 40,
        about: 'The fault: drop-after-commit, drop-before, delay, 2400, poll-lost and others.',
        example: 'delay',
      }),
      rate: amount('Share of the affected commands, 0 to 1. Default: all.').optional(),
      seed: integer({ min: 0, max: 4_294_967_295, about: 'Seed of the selection.' }).optional(),
      commands: list({ max: 20, about: 'Only these commands, such as domain:create or renew.' }).optional(),
      name: text({ max: 253, about: 'Only commands for this domain name.' }).optional(),
      ms: integer({ min: 0, max: 3_600_000, about: 'Length of a delay.' }).optional(),
      limit: integer({ min: 0, max: 1_000_000, about: 'Maximum number of times.' }).optional(),
    }),
    errors: ['unavailable'],
    example: { input: { kind: 'delay', ms: 5 }, output: example },
    answer: async (ctx, _caller, { rate, ...input }) =>
      show(await switchFault(ctx, { ...input, ...(rate === undefined ? {} : { rate: Number(rate) }) })),
  }),
  route({
    ...common,
    method: 'DELETE',
    summary: 'Remove all faults of the sandbox registry',
    description: 'Sandbox mode only. Also removes faults that were set elsewhere.',
    input: z.object({}),
    errors: ['unavailable'],
    example: { output: { faults: [] } },
    answer: async (ctx) => show(await endFaults(ctx)),
  }),
];
