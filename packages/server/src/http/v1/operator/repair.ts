import { z } from 'zod';
import { type RepairResult, repairDifference } from '../../../core/reconciliation/repair.ts';
import { flag, text } from '../../field.ts';
import { route } from '../../route.ts';
import { differenceExample, formerNames } from './reconciliation.ts';

const repairView = z.object({
  dry_run: z.boolean(),
  key: z.string(),
  action: z.string(),
  is_done: z.boolean(),
  result: z.string().describe('The action that was or would be taken.'),
});

const show = ({ isDone, ...repair }: RepairResult, dry_run: boolean): z.output<typeof repairView> => ({
  dry_run,
  ...repair,
  is_done: isDone,
});

export const repairRoute = route({
  method: 'POST',
  path: '/operator/reconciliation/repair',
  former: { ...formerNames, path: '/operator/books/mend', names: { action: 'act', result: 'says' } },
  sudo: true,
  area: 'account',
  scope: 'full',
  style: 'own',
  settlesMoney: true,
  summary: 'Repair a difference of the reconciliation',
  description:
    'Carries out the suggested repair, after another check under a lock. Only for the operator; written to the audit log. With `dry_run=true`, only returns what it would do. A difference with the action `manual` is refused with the manual steps.',
  input: z.object({
    key: text({ max: 400, about: 'Key of the difference.', example: differenceExample.key }),
    reason: text({ max: 500, about: 'The reason, for the audit log.', example: 'found by the daily reconciliation' }),
    dry_run: flag('Dry run: only return what would happen.').optional(),
  }),
  output: repairView,
  errors: ['invalid_argument', 'operator_only', 'not_found', 'conflict'],
  example: {
    input: { key: differenceExample.key, reason: 'found by the daily reconciliation' },
    first: 'requires a difference of `GET /operator/reconciliation`; enter its key',
    output: {
      dry_run: false,
      key: differenceExample.key,
      action: 'release',
      is_done: true,
      result: 'release transaction 1004 of 12.39 USD (example-shop.com)',
    },
  },
  render: (repaired: RepairResult) => show(repaired, false),
  async answer(ctx, caller, { key, reason, dry_run = false }) {
    return show(await repairDifference(ctx, caller, { key, reason, isDryRun: dry_run }), dry_run);
  },
});
