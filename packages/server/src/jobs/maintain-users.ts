import { carryOutResets } from '../core/users/factor-reset.ts';
import { sendRecoveryCodes } from '../core/users/recovery.ts';
import type { Job } from './scheduler.ts';

/** Sends links for forgotten passwords, and applies two-factor resets that were not cancelled in time. */
export const maintainUsersJob: Job = {
  name: 'look-after-people',
  everyMs: 2_000,
  async run(ctx) {
    await sendRecoveryCodes(ctx);
    await carryOutResets(ctx);
  },
};
