import { purgeBudgets } from '../core/requests/purge.ts';
import { purgeSessions } from '../core/users/purge-sessions.ts';
import type { Job } from './scheduler.ts';

/** Budgets of callers that stayed away, and sessions that ended long ago. */
export const purgeRequestsJob: Job = {
  name: 'forget-requests',
  everyMs: 60_000,
  async run(ctx) {
    await purgeBudgets(ctx);
    await purgeSessions(ctx);
  },
};
