import { dayMs, everyTenant } from '@namehold/base';
import { verifyTurn } from '../core/books/ask.ts';
import { books } from '../core/books/difference.ts';
import { verifyAndTell } from '../core/books/report.ts';
import { isRunLeft } from '../core/books/run.sql.ts';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import type { Job } from './clockwork.ts';

/** What failed a moment ago may fail again. */
const waitSeconds = 600;

/** Once a day, or when an operator asks for it, in one of the processes: the five books are compared, each with each. One that was left in the middle goes on. */
export const verifyBooks: Job = {
  name: verifyTurn,
  everyMs: 600_000,
  looksAfterMs: () => 10_000,
  async run(house) {
    const isDue = await takeTurn(house, verifyTurn, dayMs);
    if (!isDue && !(await isRunLeft(house.db.as(everyTenant), books, waitSeconds))) return;
    const { found, counts, skipped } = await verifyAndTell(house, books, { goesOn: true });
    if (found === 0) house.log.info({ counts, skipped }, 'the books were compared and agree');
    else house.log.error({ counts, skipped, found }, 'the books differ: run namehold verify');
  },
};
