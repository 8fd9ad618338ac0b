import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { clearAlarms, clearQuiet, listOpenAlarms, type OpenAlarm, upsertAlarm } from './alarm.sql.ts';

export interface NewAlarm {
  /** One open alarm a key; raising it again only shows that it lasts. */
  readonly key: string;
  readonly severity: 'warning' | 'critical';
  readonly sentence: string;
  readonly facts?: object;
}

/** What an alarm needs; a process beside the service has no more. */
export type AlarmHouse = Pick<House, 'db' | 'wall' | 'log'>;

/** An alarm is a row, a metric, an error line in the log, and `namehold alarms`. */
export async function raiseAlarm(house: AlarmHouse, alarm: NewAlarm): Promise<void> {
  const row = { ...alarm, facts: JSON.stringify(alarm.facts ?? {}) };
  const isNew = await house.db.transaction(everyTenant, (tx) => upsertAlarm(tx, row, house.wall.now()));
  if (isNew) house.log.error({ alarm: alarm.key, ...alarm.facts }, alarm.sentence);
}

export async function clearAlarm(house: AlarmHouse, ...keys: readonly string[]): Promise<void> {
  await house.db.transaction(everyTenant, (tx) => clearAlarms(tx, keys, house.wall.now()));
}

/** What happened once and is no state has no end of its own: the alarm stands until nothing of the kind was seen for so long. */
export async function clearQuietAlarm(house: House, key: string, quietMs: number): Promise<void> {
  const now = house.wall.now();
  const since = new Date(now.getTime() - quietMs);
  await house.db.transaction(everyTenant, (tx) => clearQuiet(tx, key, since, now));
}

export function openAlarms(house: House): Promise<OpenAlarm[]> {
  return listOpenAlarms(house.db.as(everyTenant));
}
