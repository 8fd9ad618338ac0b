import { everyTenant } from '@namehold/base';
import { unseenDomains } from '../core/domains/reconcile.sql.ts';
import { reconcileDomain } from '../core/domains/reconcile.ts';
import type { Job } from './clockwork.ts';

const dayMs = 86_400_000;
/** A slice a minute: 1,000,000 names a day need about 700. */
const namesPerRun = 1_000;
const atOnce = 4;

/** Every name is compared with its registry once a day, a slice at a time. */
export const reconcileDomains: Job = {
  name: 'reconcile-domains',
  everyMs: 60_000,
  async run(house) {
    const before = new Date(house.clock.now().getTime() - dayMs);
    const queue = await unseenDomains(house.db.as(everyTenant), before, namesPerRun);
    const dead = new Set<string>();
    const work = async () => {
      for (let domain = queue.shift(); domain; domain = queue.shift()) {
        if (dead.has(domain.registry_id) || !house.registries.isReachable(domain.registry_id)) continue;
        const done = await reconcileDomain(house, domain);
        // A registry that does not answer is not asked a thousand times.
        if (done.kind === 'unreachable') dead.add(domain.registry_id);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  },
};
