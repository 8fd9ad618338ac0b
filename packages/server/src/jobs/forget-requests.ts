import { forgetBudgets } from '../core/requests/forget.ts';
import type { Job } from './clockwork.ts';

/** Budgets of callers that stayed away. */
export const forgetRequests: Job = {
  name: 'forget-requests',
  everyMs: 600_000,
  async run(house) {
    await forgetBudgets(house);
  },
};
