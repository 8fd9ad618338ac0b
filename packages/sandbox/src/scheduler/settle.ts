import { noEffects, type Registry, registryTenant } from '../registry/registry.ts';
import { type DueEvent, dueEvents, nextDue } from './due.sql.ts';
import { processDue } from './process-due.ts';

const batchSize = 200;
const running = new WeakMap<Registry, Promise<void>>();

/**
 * Makes all due changes, each at its own time and in the order of those times. A clock moved by forty days at once leaves the same
 * registry as one moved day by day. Returns the time up to which all changes were made.
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
    const events = await dueEvents(registry.db.as(registryTenant), now, batchSize);
    if (events.length === 0) break;
    await processInOrder(registry, events);
  }
  registry.horizon.reset(await nextDue(registry.db.as(registryTenant)));
}

async function processInOrder(registry: Registry, events: readonly DueEvent[]): Promise<void> {
  const effects = noEffects();
  for (const [index, thing] of events.entries()) {
    await registry.db.transaction(registryTenant, (tx) => processDue(tx, registry, effects, thing));
    for (const clientId of effects.messagesFor) registry.messageCounts.changed(clientId);
    const following = events[index + 1];
    // The changes so far may have set a date before the next one in the list.
    if (following !== undefined && effects.dueAt.some((dueAt) => dueAt <= following.at)) return;
  }
}
