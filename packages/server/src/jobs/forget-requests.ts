import { expireIdempotency } from '../http/idempotency.ts';
import { expireBuckets } from '../http/rate-limit.ts';
import type { Job } from './clockwork.ts';

/** Answers that nobody can ask for again, and budgets of callers that stayed away. */
export const forgetRequests: Job = {
  name: 'forget-requests',
  everyMs: 600_000,
  async run(house) {
    await expireIdempotency(house);
    await expireBuckets(house);
  },
};
