import { withdrawZones } from '../core/zones/life/withdraw.ts';
import type { Job } from './clockwork.ts';

/** Stops serving the zones of names that left us, after their grace time. */
export const withdrawZonesJob: Job = {
  name: 'withdraw-zones',
  everyMs: 60_000,
  async run(house) {
    const count = await withdrawZones(house);
    if (count > 0) house.log.info({ zones: count }, 'zones of names that left were withdrawn');
  },
};
