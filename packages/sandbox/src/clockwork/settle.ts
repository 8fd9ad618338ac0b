import { sql } from '@namehold/base';
import { noRipples, type Registry, registryTenant } from '../registry/registry.ts';
import { type DueThing, happen } from './happen.ts';

const batchSize = 200;
const running = new WeakMap<Registry, Promise<void>>();

/**
 * Lets everything happen that is due by now, each at its own time and in the order of those times: a clock moved by
 * forty days at once leaves the same registry as one moved day by day. Answers with the time up to which all has happened.
 */
export async function settleDue(registry: Registry): Promise<Date> {
  for (;;) {
    const now = registry.clock.now();
    if (now.getTime() < registry.horizon.earliestMs) return now;
    let run = running.get(registry);
    if (run === undefined) {
      run = settle(registry).finally(() => running.delete(registry));
      running.set(registry, run);
    }
    await run;
  }
}

async function settle(registry: Registry): Promise<void> {
  for (;;) {
    const now = registry.clock.now();
    const things = await registry.db.as(registryTenant).many<DueThing>(sql`
      (select due_at as at, 'domain' as kind, name as key, 1 as rank from domain where due_at <= ${now}
        order by due_at, name limit ${batchSize})
      union all
      (select acted_at, 'transfer', id::text, 0 from transfer where state = 'pending' and acted_at <= ${now}
        order by acted_at, id::text limit ${batchSize})
      order by 1, rank, key limit ${batchSize}`);
    if (things.length === 0) break;
    await happenInOrder(registry, things);
  }
  const { next } = await registry.db.as(registryTenant).one<{ next: Date | null }>(sql`
    select least((select min(due_at) from domain), (select min(acted_at) from transfer where state = 'pending')) as next`);
  registry.horizon.reset(next);
}

async function happenInOrder(registry: Registry, things: readonly DueThing[]): Promise<void> {
  const ripples = noRipples();
  for (const [index, thing] of things.entries()) {
    await registry.db.transaction(registryTenant, (tx) => happen(tx, registry, ripples, thing));
    for (const clientId of ripples.mailFor) registry.mailCounts.changed(clientId);
    const following = things[index + 1];
    // What happened so far may have set a date that comes before the next in line.
    if (following !== undefined && ripples.dueAt.some((dueAt) => dueAt <= following.at)) return;
  }
}
