import { addDays, everyTenant } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import { Refusal } from '../../errors.ts';
import type { House } from '../../house.ts';
import { inTurns } from '../../jobs/turns.ts';
import { clearHeld, isOpenAlarm, openStrays } from './stray.sql.ts';

const straysPerRun = 50;

const keyOf = (registryId: string, name: string): string => `stray:${registryId}:${name}`;

/** The registry holds a name for us that our books do not know: somebody must find out what it is and who pays for it. */
export async function alarmStray(house: House, registryId: string, name: string): Promise<void> {
  await raiseAlarm(house, {
    key: keyOf(registryId, name),
    severity: 'critical',
    sentence: `registry ${registryId} holds ${name} for us, and our books do not know it: adopt it with \`namehold domain import\`, or delete it there`,
    facts: { registry_id: registryId, name },
  });
}

export const clearStray = (house: House, registryId: string, name: string): Promise<void> =>
  clearAlarm(house, keyOf(registryId, name));

/** What the books have by now, however it came in, is no stray. */
export const clearAdoptedStrays = (house: House): Promise<void> =>
  house.db.transaction(everyTenant, (tx) => clearHeld(tx, house.wall.now()));

/** Asks once a day for each: deleted there, or another's by now, it is no longer our trouble. */
export async function followStrays(house: House): Promise<void> {
  const seenBefore = addDays(house.wall.now(), -1);
  const strays = await openStrays(house.db.as(everyTenant), seenBefore, straysPerRun);
  const named = strays.map((stray) => ({ ...stray, id: stray.name }));
  await inTurns(house, 1, named, async ({ registry_id, name }) => {
    if (!house.registries.isReachable(registry_id)) return;
    const registry = await house.registries.of(registry_id);
    const asked = await registry.info(name, { lane: 'background' });
    if (asked.kind !== 'done') return;
    if (asked.data?.isOurs) await alarmStray(house, registry_id, name);
    else await clearStray(house, registry_id, name);
  });
}

/** An order for it could only be refused; it is refused here, before money is held. */
export const stray = (name: string): Refusal =>
  new Refusal(
    'domain_not_available',
    `${name} is already registered in our registry account, and the operator is investigating it.`,
  );

export async function refuseStray(house: House, registryId: string, name: string): Promise<void> {
  if (await isOpenAlarm(house.db.as(everyTenant), keyOf(registryId, name))) throw stray(name);
}
