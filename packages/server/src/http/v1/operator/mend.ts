import { z } from 'zod';
import { type Mended, mend } from '../../../core/books/mend.ts';
import { flag, text } from '../../field.ts';
import { route } from '../../route.ts';
import { differenceExample } from './books.ts';

const mendView = z.object({
  dry_run: z.boolean(),
  key: z.string(),
  act: z.string(),
  is_done: z.boolean(),
  says: z.string().describe('What was done, or would be.'),
});

const show = ({ key, act, isDone, says }: Mended, dry_run: boolean): z.output<typeof mendView> => ({
  dry_run,
  key,
  act,
  is_done: isDone,
  says,
});

export const mendRoute = route({
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
  output: mendView,
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
  render: (mended: Mended) => show(mended, false),
  async answer(house, caller, { key, reason, dry_run = false }) {
    return show(await mend(house, caller, { key, reason, isDryRun: dry_run }), dry_run);
  },
});
