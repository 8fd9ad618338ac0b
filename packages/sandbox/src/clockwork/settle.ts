import { noRipples, type Registry, registryTenant } from '../registry/registry.ts';
import { type DueThing, dueThings, nextDue } from './due.sql.ts';
import { happen } from './happen.ts';

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
    const things = await dueThings(registry.db.as(registryTenant), now, batchSize);
    if (things.length === 0) break;
    await happenInOrder(registry, things);
  }
  registry.horizon.reset(await nextDue(registry.db.as(registryTenant)));
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
