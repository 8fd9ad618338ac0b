import { expireAuthCodes } from '../core/domains/change/auth-code.ts';
import type { Job } from './scheduler.ts';

/** Removes expired auth codes at the registry (RFC 9154). */
export const expireAuthCodesJob: Job = {
  name: 'expire-auth-codes',
  everyMs: 60_000,
  async run(ctx) {
    await expireAuthCodes(ctx);
  },
};
