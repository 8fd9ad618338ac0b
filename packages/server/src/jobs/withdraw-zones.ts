import { withdrawDomains } from '../core/composition/withdraw.ts';
import type { Job } from './scheduler.ts';

/** Stops serving zones of domains that left, after their grace time. */
export const withdrawZonesJob: Job = {
  name: 'withdraw-zones',
  everyMs: 60_000,
  async run(ctx) {
    const count = await withdrawDomains(ctx);
    if (count > 0) ctx.log.info({ zones: count }, 'withdrew zones of domains that left');
  },
};
