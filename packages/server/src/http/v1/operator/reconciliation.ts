import { z } from 'zod';
import { readReconciliation } from '../../../core/operator/overview.ts';
import { reconciliationSources, repairActions } from '../../../core/reconciliation/difference.ts';
import { route } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';

const differenceView = z
  .object({
    key: z.string().describe('Names it for a mend.'),
    book: z.enum(reconciliationSources),
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
    mend: z.object({
      act: z.enum(repairActions),
      words: z.string(),
    }),
  })
  .meta({ id: 'BookDifference', description: 'Where two books disagree, and what would mend it.' });

export const differenceExample: z.output<typeof differenceView> = {
  key: 'books:entries:held_after_refusal:transaction 1004',
  book: 'entries',
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
  mend: { act: 'release', words: 'nothing was bought: release the money on hold' },
};

export const readReconciliationRoute = route({
  method: 'GET',
  path: '/operator/books',
  area: 'account',
  style: 'own',
  summary: 'Read what the last comparison of the books found',
  description:
    'Entries, operations, domains and the registry are compared each with each once a day, and by `namehold verify`. Every difference that is still open, with what would put it right. Only for the operator.',
  input: z.object({}),
  output: z.object({
    running_since: z.string().nullable().describe('Since when they are being compared; null: they are not.'),
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
      differences: differences.map(({ key, difference }) => ({ key, ...difference })),
    };
  },
});
