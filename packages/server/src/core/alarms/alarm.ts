import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { clearAlarms, clearQuiet, listOpenAlarms, type OpenAlarm, upsertAlarm } from './alarm.sql.ts';

export interface NewAlarm {
  /** One open alarm per key; raising it again only shows that it lasts. */
  readonly key: string;
  readonly severity: 'warning' | 'critical';
  readonly sentence: string;
  readonly facts?: object;
}

/** What an alarm needs; a process beside the service has nothing else. */
export type AlarmContext = Pick<AppContext, 'db' | 'wall' | 'log'>;

/** An alarm is a row, a metric, an error line in the log, and `namehold alarms`. */
export async function raiseAlarm(ctx: AlarmContext, alarm: NewAlarm): Promise<void> {
  const row = { ...alarm, facts: JSON.stringify(alarm.facts ?? {}) };
  const isNew = await ctx.db.transaction(allTenants, (tx) => upsertAlarm(tx, row, ctx.wall.now()));
  if (isNew) ctx.log.error({ alarm: alarm.key, ...alarm.facts }, alarm.sentence);
}

export async function clearAlarm(ctx: AlarmContext, ...keys: readonly string[]): Promise<void> {
  await ctx.db.transaction(allTenants, (tx) => clearAlarms(tx, keys, ctx.wall.now()));
}

/** An incident without a state has no end of its own: the alarm stays open until none of its kind was seen for this long. */
export async function clearQuietAlarm(ctx: AppContext, key: string, quietMs: number): Promise<void> {
  const now = ctx.wall.now();
  const since = new Date(now.getTime() - quietMs);
  await ctx.db.transaction(allTenants, (tx) => clearQuiet(tx, key, since, now));
}

export function openAlarms(ctx: AppContext): Promise<OpenAlarm[]> {
  return listOpenAlarms(ctx.db.as(allTenants));
}
