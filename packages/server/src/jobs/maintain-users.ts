import { carryOutResets } from '../core/users/factor-reset.ts';
import { sendRecoveryCodes } from '../core/users/recovery.ts';
import type { Job } from './scheduler.ts';

/** Links for those who forgot their password; second factors that nobody wanted to keep. */
export const maintainUsersJob: Job = {
  name: 'look-after-people',
  everyMs: 2_000,
  async run(ctx) {
    await sendRecoveryCodes(ctx);
    await carryOutResets(ctx);
  },
};
