import { pruneJournals, purgeZones } from '../core/zones/withdraw.ts';
import type { Job } from './clockwork.ts';

/** Drops tombstones and old changes whose time is over. */
export const purgeZonesJob: Job = {
  name: 'purge-zones',
  everyMs: 3_600_000,
  async run(house) {
    const zones = await purgeZones(house);
    const changes = await pruneJournals(house);
    if (zones + changes > 0) house.log.info({ zones, changes }, 'old zones and changes were dropped');
  },
};
