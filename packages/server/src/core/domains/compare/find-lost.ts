import { addDays, everyTenant } from '@namehold/base';
import { clearAlarm } from '../../alarms/alarm.ts';
import { DeletedReference } from '../../deleted-reference.ts';
import { appendEvent } from '../../events/append.ts';
import type { House } from '../../house.ts';
import { inTurns } from '../../jobs/turns.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { readDomain } from '../domain.sql.ts';
import type { Domain } from '../domain.ts';
import { lifeEvent } from '../life-event.ts';
import { lifePolicy } from '../lifecycle.ts';
import type { RegistryDomain } from '../registry/registry.ts';
import { paidBefore } from './import.sql.ts';
import { chargedWords } from './import.ts';
import { bringBack, lostNames, noteAsked } from './missing.sql.ts';
import { alarmStray } from './stray.ts';
import { applyView } from './sync.ts';

const namesPerRun = 200;

/** Looks once a day for names that went without a reason: what shows again, the very same, is ours again. */
export async function findLostNames(house: House): Promise<void> {
  const now = house.clock.now();
  const times = { removedSince: addDays(now, -lifePolicy.lookForLostDays), askedBefore: addDays(now, -1) };
  await inTurns(house, 1, await lostNames(house.db.as(everyTenant), times, namesPerRun), async (domain) => {
    if (!house.registries.isReachable(domain.registry_id)) return;
    const registry = await house.registries.of(domain.registry_id);
    const asked = await registry.info(domain.name, { lane: 'background' });
    if (asked.kind !== 'done') return;
    const view = asked.data;
    if (view?.isOurs && isSame(domain, view) && (await bringHome(house, domain, view).catch(ownerless)) !== undefined)
      return;
    if (view?.isOurs) await alarmStray(house, domain.registry_id, domain.name);
    await house.db.transaction(everyTenant, (tx) => noteAsked(tx, domain.id, now));
  });
}

/** Its customer was deleted since: the operator decides who gets it. */
function ownerless(error: unknown): undefined {
  if (!(error instanceof DeletedReference)) throw error;
}

/** RFC 5731 3.1.2: a name that was registered anew was created on another day. */
const isSame = (domain: Domain, view: RegistryDomain): boolean =>
  domain.registry_created_at !== null && view.createdAt?.getTime() === domain.registry_created_at.getTime();

/** A tombstone that a person wants back now: what was paid for it, where the registry shows the very same name; else nothing happens. */
export async function bringHomeNow(house: House, domainId: string): Promise<string | undefined> {
  const db = house.db.as(everyTenant);
  const domain = await readDomain(db, domainId);
  const asked = await (await house.registries.of(domain.registry_id)).info(domain.name, { lane: 'background' });
  const view = asked.kind === 'done' ? asked.data : null;
  if (!view?.isOurs || !isSame(domain, view) || !(await bringHome(house, domain, view))) return undefined;
  return chargedWords(await paidBefore(db, domain.name, view.createdAt));
}

async function bringHome(house: House, domain: Domain, view: RegistryDomain): Promise<boolean> {
  const isBack = await house.db.transaction(everyTenant, async (tx) => {
    if (!(await bringBack(tx, domain.id, 'live', house.clock.now()))) return false;
    const alive = { ...domain, state: 'live' as const, removed_reason: null, removed_at: null, missing_since: null };
    await applyView(house, tx, alive, view, await rulesOf(tx, domain.tld));
    await appendEvent(
      house,
      tx,
      lifeEvent(domain, 'domain.found_again', { expires_at: view.expiresAt?.toISOString() ?? null }),
    );
    return true;
  });
  if (isBack) await clearAlarm(house, `missing:${domain.id}`);
  return isBack;
}
