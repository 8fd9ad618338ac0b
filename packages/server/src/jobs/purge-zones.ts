import { purgeZones } from '../core/zones/life/withdraw.ts';
import type { Job } from './clockwork.ts';

/** Drops tombstones whose time is over. */
export const purgeZonesJob: Job = {
  name: 'purge-zones',
  everyMs: 3_600_000,
  async run(house) {
    const zones = await purgeZones(house);
    if (zones > 0) house.log.info({ zones }, 'deleted and withdrawn zones were forgotten');
  },
};
