import { type Reader, sql, type Tx } from '@namehold/postgres';
import { type Histogram, highestBucket } from './wait-classes.ts';

/** More than there are classes. */
const classesKept = 100;

export interface HourOfWaits {
  readonly kind: 'registry' | 'nameserver';
  readonly subject: string;
  readonly command: string;
  readonly hour: Date;
  readonly answered: number;
  readonly failed: number;
  readonly unknown: number;
  readonly waits: Histogram;
}

/** Adds to the present counts of the hour. */
export async function addWaits(tx: Tx, rows: readonly HourOfWaits[]): Promise<void> {
  await tx.run(sql`
    insert into wait_hour as w (kind, subject, command, hour, answered, failed, unknown, waits)
    select r.kind, r.subject, r.command, r.hour, r.answered, r.failed, r.unknown, r.waits
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (kind text, subject text, command text, hour timestamptz, answered bigint, failed bigint, unknown bigint, waits jsonb)
    order by 1, 2, 4, 3
    on conflict (kind, subject, hour, command) do update set answered = w.answered + excluded.answered, failed = w.failed + excluded.failed,
      unknown = w.unknown + excluded.unknown, waits = sum_of_counts(w.waits, excluded.waits, ${classesKept})`);
}

// RFC 5730 section 3: from 2400 on the registry failed to execute the command; below that it refused it.
const failedFrom = 2_400;

/**
 * The journal between two moments, as hours of waiting times. An unanswered command that was held back was never sent and does not
 * count.
 */
const journalHours = (from: Date, to: Date) => sql`
  select 'registry' as kind, registry_id as subject, object || ':' || verb as command, hour, sum(n) filter (where class is not null) as answered,
    sum(failed) as failed, coalesce(sum(n) filter (where class is null), 0) as unknown,
    coalesce(jsonb_object_agg(class, n) filter (where class is not null), '{}') as waits
  from (
    select registry_id, object, verb, date_trunc('hour', prepared_at, 'UTC') as hour, count(*) as n,
      count(*) filter (where state = 'answered' and result_code >= ${failedFrom}) as failed,
      case when state = 'answered' then least(${highestBucket}, greatest(0, ceil(4 * ln(greatest(1,
        extract(epoch from answered_at - coalesce(sent_at, prepared_at)) * 1000)::double precision) / ln(2::double precision))))::integer end as class
    from registry_command
    where prepared_at >= ${from} and prepared_at < ${to} and found is distinct from 'unsent'
    group by registry_id, object, verb, hour, class) counted
  group by registry_id, object, verb, hour`;

/** One process at a time: the others have nothing to do. */
export async function lockRollUp(tx: Tx): Promise<boolean> {
  const row = await tx.one<{ is_ours: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('wait_hour_fold')) as is_ours`,
  );
  return row.is_ours;
}

/** The first hour from this moment on in which a command was prepared. */
export async function nextHour(tx: Tx, from: Date): Promise<Date | undefined> {
  const row = await tx.maybe<{ hour: Date }>(sql`
    select date_trunc('hour', prepared_at, 'UTC') as hour from registry_command where prepared_at >= ${from} order by prepared_at limit 1`);
  return row?.hour;
}

export async function rolledUpTo(db: Reader): Promise<Date | undefined> {
  return (await db.maybe<{ folded_to: Date }>(sql`select folded_to from wait_mark`))?.folded_to;
}

export async function rollUpJournal(tx: Tx, from: Date, to: Date): Promise<void> {
  await tx.run(sql`
    insert into wait_hour (kind, subject, command, hour, answered, failed, unknown, waits)
    select kind, subject, command, hour, coalesce(answered, 0), failed, unknown, waits from (${journalHours(from, to)}) hours
    on conflict do nothing`);
  await tx.run(sql`
    insert into wait_mark (folded_to) values (${to}) on conflict (only_one) do update set folded_to = excluded.folded_to`);
}

export async function purgeResponseTimes(tx: Tx, before: Date, limit: number): Promise<void> {
  await tx.run(sql`
    delete from wait_hour where ctid = any (array(select ctid from wait_hour where kind in ('registry', 'nameserver') and hour < ${before} limit ${limit}))`);
}

interface WaitQuery {
  readonly kind: 'registry' | 'nameserver';
  /** Of this one alone, command by command; without it each step is one row. */
  readonly subject?: string | undefined;
  readonly from: Date;
  /** From here on the journal itself is read. */
  readonly liveFrom: Date;
  readonly to: Date;
  readonly step: 'hour' | 'day';
}

interface WaitStep {
  readonly subject: string;
  readonly command: string | null;
  readonly at: Date;
  readonly answered: string;
  readonly failed: string;
  readonly unknown: string;
  readonly waits: Histogram;
}

/** Steps with a command, in order. */
export function responseTimeSteps(db: Reader, query: WaitQuery): Promise<WaitStep[]> {
  const { kind, subject, from, liveFrom, to, step } = query;
  const line = subject === undefined ? sql`null::text` : sql`command`;
  const whose = subject === undefined ? sql`true` : sql`subject = ${subject}`;
  const columns = sql`subject, command, hour, answered, failed, unknown, waits`;
  const folded = sql`select ${columns} from wait_hour where kind = ${kind} and hour >= ${from} and hour < ${to}`;
  const hours =
    kind === 'registry' ? sql`${folded} union all select ${columns} from (${journalHours(liveFrom, to)}) live` : folded;
  return db.many<WaitStep>(sql`
    with hours as (select subject, ${line} as command, date_trunc(${step}, hour, 'UTC') as at, answered, failed, unknown, waits
      from (${hours}) every where ${whose}),
    classes as (
      select subject, command, at, jsonb_object_agg(class, n) as waits from (
        select subject, command, at, c.key as class, sum(c.value::bigint) as n from hours cross join lateral jsonb_each_text(waits) c
        group by subject, command, at, c.key) counted
      group by subject, command, at)
    select s.subject, s.command, s.at, s.answered, s.failed, s.unknown, coalesce(c.waits, '{}') as waits
    from (select subject, command, at, coalesce(sum(answered), 0) as answered, sum(failed) as failed, sum(unknown) as unknown from hours
      group by subject, command, at) s
    left join classes c on c.subject = s.subject and c.command is not distinct from s.command and c.at = s.at
    order by s.subject, s.command, s.at`);
}
