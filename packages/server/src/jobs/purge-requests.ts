import { purgeBudgets } from '../core/requests/purge.ts';
import { purgeSessions } from '../core/users/purge-sessions.ts';
import type { Job } from './scheduler.ts';

/** Deletes rate-limit budgets that are no longer used, and ended sessions. */
export const purgeRequestsJob: Job = {
  name: 'forget-requests',
  everyMs: 60_000,
  async run(ctx) {
    await purgeBudgets(ctx);
    await purgeSessions(ctx);
  },
};
