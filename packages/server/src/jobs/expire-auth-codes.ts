import { expireAuthCodes } from '../core/domains/change/auth-code.ts';
import type { Job } from './scheduler.ts';

/** RFC 9154: a code that has had its time is taken away at the registry. */
export const expireAuthCodesJob: Job = {
  name: 'expire-auth-codes',
  everyMs: 60_000,
  async run(ctx) {
    await expireAuthCodes(ctx);
  },
};
