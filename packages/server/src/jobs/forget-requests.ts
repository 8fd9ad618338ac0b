import { forgetAnswers, forgetBudgets } from '../core/requests/forget.ts';
import type { Job } from './clockwork.ts';

/** Answers that nobody can ask for again, and budgets of callers that stayed away. */
export const forgetRequests: Job = {
  name: 'forget-requests',
  everyMs: 600_000,
  async run(house) {
    await forgetAnswers(house);
    await forgetBudgets(house);
  },
};
