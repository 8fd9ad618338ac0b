import { dayMs } from '@namehold/base';
import { verifyAndTell } from '../core/books/report.ts';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import type { Job } from './clockwork.ts';

/** Once a day, in one of the processes: the five books are compared, each with each. */
export const verifyBooks: Job = {
  name: 'verify-books',
  everyMs: 600_000,
  async run(house) {
    if (!(await takeTurn(house, 'verify-books', dayMs))) return;
    const { found, counts, skipped } = await verifyAndTell(house);
    if (found === 0) house.log.info({ counts, skipped }, 'the books were compared and agree');
    else house.log.error({ counts, skipped, found }, 'the books differ: run namehold verify');
  },
};
