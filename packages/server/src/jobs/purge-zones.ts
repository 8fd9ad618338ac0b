import { purgeZones } from '../core/zones/life/withdraw.ts';
import type { Job } from './scheduler.ts';

/** Deletes zone tombstones after their retention time. */
export const purgeZonesJob: Job = {
  name: 'purge-zones',
  everyMs: 3_600_000,
  async run(ctx) {
    const zones = await purgeZones(ctx);
    if (zones > 0) ctx.log.info({ zones }, 'purged deleted and withdrawn zones');
  },
};
