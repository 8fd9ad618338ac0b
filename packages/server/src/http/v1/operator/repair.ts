import { z } from 'zod';
import { mend, type RepairResult } from '../../../core/reconciliation/repair.ts';
import { flag, text } from '../../field.ts';
import { route } from '../../route.ts';
import { differenceExample } from './reconciliation.ts';

const repairView = z.object({
  dry_run: z.boolean(),
  key: z.string(),
  act: z.string(),
  is_done: z.boolean(),
  says: z.string().describe('What was done, or would be.'),
});

const show = ({ key, act, isDone, says }: RepairResult, dry_run: boolean): z.output<typeof repairView> => ({
  dry_run,
  key,
  act,
  is_done: isDone,
  says,
});

export const repairRoute = route({
  method: 'POST',
  path: '/operator/books/mend',
  sudo: true,
  area: 'account',
  scope: 'full',
  style: 'own',
  settlesMoney: true,
  summary: 'Put a difference between the books right',
  description:
    'Carries out the mend that the difference suggests, after a second look under a lock. Only for the operator; written to the audit log. With `dry_run=true` it only says what it would do. A mend `by_hand` is refused with what a person should do.',
  input: z.object({
    key: text({ max: 400, about: 'Key of the difference.', example: differenceExample.key }),
    reason: text({ max: 500, about: 'Why, for the audit log.', example: 'found by the daily comparison' }),
    dry_run: flag('Only say what would happen.').optional(),
  }),
  output: repairView,
  errors: ['invalid_argument', 'operator_only', 'not_found', 'conflict'],
  example: {
    input: { key: differenceExample.key, reason: 'found by the daily comparison' },
    first: '`GET /operator/books` must show a difference, whose key is put in',
    output: {
      dry_run: false,
      key: differenceExample.key,
      act: 'release',
      is_done: true,
      says: 'release transaction 1004 of 12.39 USD (example-shop.com)',
    },
  },
  render: (mended: RepairResult) => show(mended, false),
  async answer(ctx, caller, { key, reason, dry_run = false }) {
    return show(await mend(ctx, caller, { key, reason, isDryRun: dry_run }), dry_run);
  },
});
