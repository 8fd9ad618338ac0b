import { forgetSessions } from '../core/people/forget.ts';
import { forgetBudgets } from '../core/requests/forget.ts';
import type { Job } from './clockwork.ts';

/** Budgets of callers that stayed away, and sessions that ended long ago. */
export const forgetRequests: Job = {
  name: 'forget-requests',
  everyMs: 60_000,
  async run(house) {
    await forgetBudgets(house);
    await forgetSessions(house);
  },
};
