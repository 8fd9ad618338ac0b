import { everyTenant, sql, type Tx } from '@namehold/base';
import type { House } from '../house.ts';

export interface NewAlarm {
  /** One open alarm a key; raising it again only shows that it lasts. */
  readonly key: string;
  readonly severity: 'warning' | 'critical';
  readonly sentence: string;
  readonly facts?: object;
}

/** An alarm is a row, a metric, an error line in the log, and `namehold alarms`. */
export async function raiseAlarm(house: House, alarm: NewAlarm): Promise<void> {
  const now = house.wall.now();
  const { is_new } = await house.db.transaction(everyTenant, (tx) =>
    tx.one<{ is_new: boolean }>(sql`
      with before as (select 1 from alarm where key = ${alarm.key} and cleared_at is null)
      insert into alarm (key, severity, sentence, facts, raised_at, seen_at)
      values (${alarm.key}, ${alarm.severity}, ${alarm.sentence}, ${JSON.stringify(alarm.facts ?? {})}, ${now}, ${now})
      on conflict (key) do update set severity = excluded.severity, sentence = excluded.sentence, facts = excluded.facts, seen_at = excluded.seen_at,
        raised_at = case when alarm.cleared_at is null then alarm.raised_at else excluded.raised_at end,
        told_at = case when alarm.cleared_at is null then alarm.told_at end,
        tell_tries = case when alarm.cleared_at is null then alarm.tell_tries else 0 end, cleared_at = null
      returning not exists (select from before) as is_new`),
  );
  if (is_new) house.log.error({ alarm: alarm.key, ...alarm.facts }, alarm.sentence);
}

export async function clearAlarm(house: House, key: string): Promise<void> {
  await house.db.transaction(everyTenant, (tx) => clearAlarms(tx, [key], house.wall.now()));
}

export async function clearAlarms(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  await tx.run(sql`update alarm set cleared_at = ${now} where key = any (${keys}::text[]) and cleared_at is null`);
}

export interface OpenAlarm {
  readonly key: string;
  readonly severity: string;
  readonly sentence: string;
  readonly facts: Record<string, unknown>;
  readonly raised_at: Date;
  readonly seen_at: Date;
}

export async function openAlarms(house: House): Promise<OpenAlarm[]> {
  return house.db.as(everyTenant).many<OpenAlarm>(sql`
    select key, severity, sentence, facts, raised_at, seen_at from alarm where cleared_at is null order by raised_at`);
}
