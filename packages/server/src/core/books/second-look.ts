import { everyTenant } from '@namehold/base';
import { clearAlarm } from '../alarms/alarm.ts';
import { reconcileDomain } from '../domains/compare/reconcile.ts';
import { readDomainWithRules } from '../domains/domain.sql.ts';
import type { Registry } from '../domains/registry/registry.ts';
import type { House } from '../house.ts';
import { inTurns } from '../jobs/turns.ts';
import type { Operation } from '../operations/operation.ts';
import { dueLooks, noteLook, postponeLook } from '../operations/reopen.sql.ts';
import { hasArrivedLate } from './arrived-late.ts';
import { differenceKey } from './difference.ts';
import { operationsBetween } from './operations.ts';
import { tell } from './report.ts';
import { isExplained } from './second-look.sql.ts';
import { booksLimits } from './verify.ts';

const looksPerRun = 50;
const hourMs = 3_600_000;
/** After the first look: an hour, and a day. No registry has been heard of that lets a command lie for longer. */
const waitsMs = [hourMs, 24 * hourMs];
const silentMs = 300_000;

/**
 * A command whose answer never came can arrive after its order came to an end. The names of such orders are asked about again, and
 * what was carried out after it was given up is a difference of the books, with its mend.
 */
export async function lookAgainOnce(house: House): Promise<void> {
  await inTurns(house, 1, await dueLooks(house.db.as(everyTenant), looksPerRun), async (operation) => {
    const found = await lookAtOrder(house, operation);
    if (found === 'silent') await postponeLook(house.db.alone(everyTenant), operation.id, silentMs);
    else await note(house, operation, found === 'arrived');
  });
}

/** `arrived`: the registry has carried out what was given up. */
export async function lookAtOrder(house: House, operation: Operation): Promise<'arrived' | 'quiet' | 'silent'> {
  const db = house.db.as(everyTenant);
  if (
    !operation.registry_id ||
    operation.kind === 'contact_update' ||
    operation.kind === 'holder_change' ||
    operation.kind === 'account_security'
  )
    return 'quiet';
  if (!house.registries.isReachable(operation.registry_id)) return 'silent';
  const { domain, rules } = await readDomainWithRules(db, operation.domain_id);
  const registry = await house.registries.of(operation.registry_id);
  const asked = await registry.info(domain.name, { lane: 'background' });
  if (asked.kind !== 'done') return 'silent';
  const isPendingToUs = operation.kind === 'transfer' && (await isPending(registry, domain.name));
  const look = { operation, domain, rules, view: asked.data, isPendingToUs, now: house.clock.now() };
  if (operation.state !== 'done' && hasArrivedLate({ ...look, isExplained: await isExplained(db, operation) }))
    return 'arrived';
  // Whatever else a late command did is found like every change that is not ours.
  if (!['removed', 'pending', 'unpaid'].includes(domain.state)) await reconcileDomain(house, domain);
  return 'quiet';
}

/** Who has no part in a transfer is told of none. */
async function isPending(registry: Registry, name: string): Promise<boolean> {
  const query = await registry.queryTransfer(name, { lane: 'background' });
  return query.kind === 'done' && query.data?.isToUs === true && query.data.status === 'pending';
}

async function note(house: House, operation: Operation, hasArrived: boolean): Promise<void> {
  await noteLook(house.db.alone(everyTenant), operation.id, { hasArrived, waitsMs });
  const key = differenceKey({ book: 'operations', rule: 'arrived_late', subject: `operation ${operation.id}` });
  if (!hasArrived) return clearAlarm(house, key);
  const slice = { after: operation.id.slice(0, -1), upTo: operation.id };
  const differences = await operationsBetween(house.db, slice, booksLimits.settlePatienceSeconds);
  for (const each of differences) if (differenceKey(each) === key) await tell(house, each);
}
