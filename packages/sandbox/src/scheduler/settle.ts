import { splitName } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { findContact } from '../contact/contact.sql.ts';
import { completeContactTransfer } from '../contact/transfer.ts';
import { completeTransfer } from '../domain/complete-transfer.ts';
import { lockDomain } from '../domain/domain.sql.ts';
import { dueOf } from '../domain/record.ts';
import { type CommitEffects, noEffects, type Registry, registryTenant } from '../registry/registry.ts';
import type { SandboxTld } from '../tlds/index.ts';
import { type Cause, latestTransfer } from '../transfer/transfer.sql.ts';
import { type DueEvent, dueEvents, nextDue, subjectOf } from './due.sql.ts';
import { nextPhase } from './next-phase.ts';

/** Makes one due change, at its own time, in a transaction of its own. */
async function processDue(tx: Tx, registry: Registry, effects: CommitEffects, event: DueEvent): Promise<void> {
  const cause: Cause = { at: event.at, effects, clTRID: null, svTRID: registry.ids.next('NH') };
  if (event.kind === 'transfer') return approveByTimeout(tx, registry, cause, event.key);
  const domain = await lockDomain(tx, event.key);
  // Checked again under the lock: a command may have come first.
  if (domain === undefined || dueOf(domain).getTime() !== event.at.getTime()) return;
  await nextPhase(tx, cause, domain, registry.tlds.get(domain.tld) as SandboxTld);
}

/** RFC 5731 2.3 and the transfer policy: no response within the period counts as approval. */
async function approveByTimeout(tx: Tx, registry: Registry, cause: Cause, id: string): Promise<void> {
  const row = await subjectOf(tx, id);
  const domain = row.object === 'domain' ? await lockDomain(tx, row.name) : undefined;
  const transfer = await latestTransfer(tx, row.object, row.object_id);
  if (transfer?.id !== id || transfer.state !== 'pending') return;
  if (domain === undefined) {
    const contact = await findContact(tx, row.name);
    if (contact !== undefined) await completeContactTransfer(tx, cause, contact, transfer, 'serverApproved');
    return;
  }
  const tld = registry.tlds.get(domain.tld) as SandboxTld;
  const label = splitName(domain.name, registry.tlds)?.label ?? domain.name;
  await completeTransfer(tx, cause, { domain, label, tld, transfer }, 'serverApproved');
}

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
