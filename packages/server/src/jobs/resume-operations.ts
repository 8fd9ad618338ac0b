import { everyTenant } from '@namehold/base';
import { dueOperations } from '../core/operations/operation.sql.ts';
import type { Job } from './clockwork.ts';

const batch = 50;

/** Owns every operation that is not final and past its due time, whichever process began it. */
export const resumeOperations: Job = {
  name: 'resume-operations',
  everyMs: 1_000,
  async run(house) {
    const due = await house.db.transaction(everyTenant, (tx) => dueOperations(tx, house.wall.now(), batch));
    await Promise.all(due.map(({ id }) => house.engine.start(id)));
  },
};
