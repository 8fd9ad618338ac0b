import { dayMs } from '@namehold/base';
import { verifyTurn } from '../core/books/ask.ts';
import { verifyAndTell } from '../core/books/report.ts';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import type { Job } from './clockwork.ts';

/** Once a day, or when an operator asks for it, in one of the processes: the five books are compared, each with each. */
export const verifyBooks: Job = {
  name: verifyTurn,
  everyMs: 600_000,
  looksEveryMs: 10_000,
  async run(house) {
    if (!(await takeTurn(house, verifyTurn, dayMs))) return;
    const { found, counts, skipped } = await verifyAndTell(house);
    if (found === 0) house.log.info({ counts, skipped }, 'the books were compared and agree');
    else house.log.error({ counts, skipped, found }, 'the books differ: run namehold verify');
  },
};
