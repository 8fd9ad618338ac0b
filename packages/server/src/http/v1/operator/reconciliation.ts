import { z } from 'zod';
import { type Difference, reconciliationSources, repairActions } from '../../../core/reconciliation/difference.ts';
import { readReconciliation } from '../../../core/reconciliation/status.ts';
import type { Former } from '../../aliases.ts';
import { route } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';

export const formerNames: Former = {
  since: '2026-11-18',
  names: { source: 'book', repair: 'mend', action: 'act', message: 'words' },
  values: { action: { manual: 'by_hand' } },
  schemas: { ReconciliationDifference: 'BookDifference' },
};

const differenceView = z
  .object({
    key: z.string().describe('Identifies the difference for a repair.'),
    source: z.enum(reconciliationSources).describe('The compared source.'),
    rule: z.string(),
    subject: z.string(),
    detail: z.string(),
    operation_id: z.string().nullable(),
    transaction_id: z.string().nullable(),
    domain_id: z.string().nullable(),
    registry_id: z.string().nullable(),
    name: z.string().nullable(),
    amount: z.string().nullable(),
    currency: z.string().nullable(),
    repair: z
      .object({
        action: z.enum(repairActions).describe('manual: the service cannot repair it; `message` has the manual steps.'),
        message: z.string().describe('The effect of the action, or the manual steps.'),
      })
      .describe('The suggested repair.'),
  })
  .meta({ id: 'ReconciliationDifference', description: 'A difference between two sources, and its suggested repair.' });

const showDifference = (key: string, difference: Difference): z.output<typeof differenceView> => ({
  key,
  ...difference,
});

export const differenceExample: z.output<typeof differenceView> = {
  key: 'books:entries:held_after_refusal:transaction 1004',
  source: 'entries',
  rule: 'held_after_refusal',
  subject: 'transaction 1004',
  detail: 'the money is pending, its operation is refused',
  operation_id: 'op_06gxsvmka9v7qbwbdq2svf8e6g',
  transaction_id: '1004',
  domain_id: '5001',
  registry_id: 'sandbox',
  name: 'example-shop.com',
  amount: '12.39',
  currency: 'USD',
  repair: { action: 'release', message: 'nothing was bought: release the money on hold' },
};

export const readReconciliationRoute = route({
  method: 'GET',
  path: '/operator/reconciliation',
  former: { ...formerNames, path: '/operator/books' },
  area: 'account',
  style: 'own',
  summary: 'Read the last reconciliation',
  description:
    'Ledger entries, operations, domains, invoices and registries are compared with each other once a day, and by `namehold verify`. Returns every open difference with its suggested repair. Only for the operator.',
  input: z.object({}),
  output: z.object({
    running_since: z.string().nullable().describe('Start of a running reconciliation. Null: none is running.'),
    last_run: z
      .object({
        started_at: z.string(),
        finished_at: z.string().nullable(),
        counts: z.record(z.string(), z.number()),
        skipped: z.array(z.object({ registry_id: z.string(), why: z.string() })),
        differences: z.number(),
      })
      .nullable(),
    differences: z.array(differenceView),
  }),
  errors: ['operator_only'],
  example: {
    output: {
      running_since: null,
      last_run: {
        started_at: '2026-11-15T03:00:00Z',
        finished_at: '2026-11-15T03:00:04Z',
        counts: { accounts: 8, transactions: 8, entries: 44, operations: 6, commands: 9, domains: 4 },
        skipped: [],
        differences: 1,
      },
      differences: [differenceExample],
    },
  },
  async answer(ctx, caller) {
    const { run, runningSince, differences } = await readReconciliation(ctx, caller);
    return {
      running_since: instantOrNull(runningSince),
      last_run: run
        ? {
            started_at: instantText(run.started_at),
            finished_at: instantOrNull(run.finished_at),
            counts: run.counts,
            skipped: run.skipped,
            differences: Number(run.differences),
          }
        : null,
      differences: differences.map(({ key, difference }) => showDifference(key, difference)),
    };
  },
});
