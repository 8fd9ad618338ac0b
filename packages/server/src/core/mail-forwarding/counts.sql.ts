import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { ClickPeriod } from '../forwarding/clicks.sql.ts';
import type { Domain } from '../model/domain.ts';

export type MailOutcome = 'forwarded' | 'deferred' | 'refused' | 'spam' | 'limited' | 'bounced';

/** Messages of one domain within one hour. */
export interface MailCountRow {
  readonly domain_id: string;
  readonly hour: Date;
  readonly outcome: MailOutcome;
  readonly messages: number;
}

/** Adds to the counts of other mail hosts. */
export async function addMailCounts(tx: Tx, rows: readonly MailCountRow[]): Promise<void> {
  await tx.run(sql`
    insert into mail_hour as m (domain_id, reseller_id, hour, outcome, messages)
    select d.id, d.reseller_id, r.hour, r.outcome, r.messages
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (domain_id bigint, hour timestamptz, outcome text, messages bigint)
    join domain d on d.id = r.domain_id
    order by d.id, r.hour, r.outcome
    on conflict (domain_id, hour, outcome) do update set messages = m.messages + excluded.messages`);
}

export interface TakenRow {
  readonly domain_id: string;
  readonly in_hour: string;
  readonly in_day: string;
}

/** Messages that all mail hosts accepted for these domains in the hour and the day of `now`. */
export function takenOf(db: Reader, domainIds: readonly string[], now: Date): Promise<TakenRow[]> {
  return db.many<TakenRow>(sql`
    select domain_id, coalesce(sum(messages) filter (where hour >= date_trunc('hour', ${now}::timestamptz, 'UTC')), 0) as in_hour, sum(messages) as in_day
    from mail_hour where domain_id = any(${domainIds}::bigint[]) and hour >= date_trunc('day', ${now}::timestamptz, 'UTC')
      and hour <= ${now} and outcome = 'forwarded' group by domain_id`);
}

export interface MailStep {
  readonly at: Date;
  readonly outcome: MailOutcome;
  readonly messages: string;
}

/** Steps with at least one message. */
export function mailSteps(
  db: Reader,
  domain: Pick<Domain, 'id' | 'reseller_id'>,
  { from, to, step }: ClickPeriod,
): Promise<MailStep[]> {
  return db.many<MailStep>(sql`
    select date_trunc(${step}, hour, 'UTC') as at, outcome, sum(messages) as messages from mail_hour
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} and hour >= ${from} and hour < ${to} group by 1, 2 order by 1, 2`);
}

export async function purgeMailCounts(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    delete from mail_hour where (domain_id, hour, outcome) in (
      select domain_id, hour, outcome from mail_hour where hour < ${before} order by hour limit ${limit})`);
}

/** False: already processed. Rows are kept for weeks, and Postfix retries only for days. */
export async function isNewReport(tx: Tx, id: string): Promise<boolean> {
  await tx.run(sql`delete from mail_report where taken_at < now() - interval '30 days'`);
  return (await tx.run(sql`insert into mail_report (id) values (${id}) on conflict do nothing`)) === 1;
}
