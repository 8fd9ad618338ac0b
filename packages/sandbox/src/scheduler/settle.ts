import { noEffects, type Registry, registryTenant } from '../registry/registry.ts';
import { type DueEvent, dueEvents, nextDue } from './due.sql.ts';
import { processDue } from './process-due.ts';

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
    // What happened so far may have set a date that comes before the next in line.
    if (following !== undefined && effects.dueAt.some((dueAt) => dueAt <= following.at)) return;
  }
}
