import { type Reader, type Sql, sql } from '@namehold/postgres';
import { type AnyAlarm, acknowledgedColumns } from '../alarms/alarm.sql.ts';
import type { StoredEvent } from '../events/read.sql.ts';
import { countSome, totalOf } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';

export interface AllEventsFilter {
  readonly resellerId?: string | undefined;
  readonly type?: string | undefined;
  readonly objectId?: string | undefined;
}

export type AnyEvent = StoredEvent & { readonly reseller_id: string };

/** Newest first, over all resellers. */
export async function listAllEvents(db: Reader, filter: AllEventsFilter, page: Page): Promise<Listed<AnyEvent>> {
  const made: Sql[] = [sql`true`];
  if (filter.resellerId) made.push(sql`reseller_id = ${filter.resellerId}`);
  if (filter.type?.endsWith('*')) made.push(sql`starts_with(type, ${filter.type.slice(0, -1)})`);
  else if (filter.type) made.push(sql`type = ${filter.type}`);
  if (filter.objectId) made.push(sql`object_id = ${filter.objectId}`);
  const where = sql.join(made, ' and ');
  const [found, counted] = await Promise.all([
    db.many<AnyEvent>(sql`
      select reseller_id, number, at, type, object_type, object_id, request_id, payload from event
      where ${where} order by at desc, reseller_id, number desc limit ${page.limit + 1} offset ${page.offset}`),
    countSome(db, { table: sql`event`, where }),
  ]);
  return { rows: found.slice(0, page.limit), ...totalOf(counted), isMore: found.length > page.limit };
}

export const alarmStates = ['open', 'acknowledged', 'cleared', 'all'] as const;
export type AlarmState = (typeof alarmStates)[number];

const isRested = sql`(cleared_at is null and coalesce(acknowledged_until > now(), false))`;
const inState: Readonly<Record<AlarmState, Sql>> = {
  open: sql`cleared_at is null`,
  acknowledged: isRested,
  cleared: sql`cleared_at is not null`,
  all: sql`true`,
};

/** Newest first, acknowledged ones last. */
export async function listAlarms(
  db: Reader,
  state: AlarmState,
  page: Page,
): Promise<{ rows: AnyAlarm[]; total: number }> {
  const where = inState[state];
  const [rows, counted] = await Promise.all([
    db.many<AnyAlarm>(sql`
      select key, severity, sentence, facts, raised_at, seen_at, cleared_at, told_at, ${acknowledgedColumns} from alarm
      where ${where} order by ${isRested}, raised_at desc, key limit ${page.limit} offset ${page.offset}`),
    db.one<{ n: string }>(sql`select count(*) as n from alarm where ${where}`),
  ]);
  return { rows, total: Number(counted.n) };
}
