import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';

/** Requests of one rule within one hour. */
export interface ClickRow {
  readonly domain_id: string;
  readonly hour: Date;
  readonly rule: string;
  readonly requests: number;
  readonly bots: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly referrers: Readonly<Record<string, number>>;
}

const codesKept = 20;
const referrersKept = 20;

/** Adds to the counts of other edges. */
export async function addClicks(tx: Tx, rows: readonly ClickRow[]): Promise<void> {
  await tx.run(sql`
    insert into forward_hour as f (domain_id, reseller_id, hour, rule, requests, bots, codes, referrers)
    select d.id, d.reseller_id, r.hour, r.rule, r.requests, r.bots, r.codes, sum_of_counts(r.referrers, '{}', ${referrersKept})
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (domain_id bigint, hour timestamptz, rule text, requests bigint, bots bigint, codes jsonb, referrers jsonb)
    join domain d on d.id = r.domain_id
    order by d.id, r.hour, r.rule
    on conflict (domain_id, hour, rule) do update set
      requests = f.requests + excluded.requests, bots = f.bots + excluded.bots,
      codes = sum_of_counts(f.codes, excluded.codes, ${codesKept}),
      referrers = sum_of_counts(f.referrers, excluded.referrers, ${referrersKept})`);
}

export interface ClickPeriod {
  readonly from: Date;
  readonly to: Date;
  readonly step: 'hour' | 'day';
}

export interface ClickStep {
  readonly at: Date;
  readonly requests: string;
  readonly bots: string;
}

type Owned = Pick<Domain, 'id' | 'reseller_id'>;

/** Steps with at least one request. */
export function clickSteps(db: Reader, domain: Owned, { from, to, step }: ClickPeriod): Promise<ClickStep[]> {
  return db.many<ClickStep>(sql`
    select date_trunc(${step}, hour, 'UTC') as at, sum(requests) as requests, sum(bots) as bots from forward_hour
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} and hour >= ${from} and hour < ${to} group by 1 order by 1`);
}

export interface RuleClicks {
  readonly rule: string;
  readonly requests: string;
  readonly bots: string;
  readonly codes: Readonly<Record<string, number>>;
  readonly referrers: Readonly<Record<string, number>>;
}

/** Each rule over the whole period, highest count first. */
export function clicksOfRules(
  db: Reader,
  domain: Owned,
  { from, to }: ClickPeriod,
  limit: number,
): Promise<RuleClicks[]> {
  const counted = (column: 'codes' | 'referrers', most: number) => sql`
    (select coalesce(jsonb_object_agg(key, n), '{}') from (
      select key, sum(value::bigint) as n from mine m, jsonb_each_text(m.${sql.raw(column)}) where m.rule = t.rule
      group by key order by n desc, key limit ${most}) kept)`;
  return db.many<RuleClicks>(sql`
    with mine as (
      select rule, requests, bots, codes, referrers from forward_hour
      where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} and hour >= ${from} and hour < ${to})
    select t.rule, t.requests, t.bots, ${counted('codes', codesKept)} as codes, ${counted('referrers', referrersKept)} as referrers
    from (select rule, sum(requests) as requests, sum(bots) as bots from mine group by rule order by 2 desc, 1 limit ${limit}) t
    order by t.requests desc, t.rule`);
}

/** Requests by rule. */
export async function clicksSince(db: Reader, domain: Owned, from: Date): Promise<Map<string, number>> {
  const rows = await db.many<{ rule: string; n: string }>(sql`
    select rule, sum(requests) as n from forward_hour
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id} and hour >= ${from} group by rule`);
  return new Map(rows.map(({ rule, n }) => [rule, Number(n)]));
}

export async function purgeClicks(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    delete from forward_hour where (domain_id, hour, rule) in (
      select domain_id, hour, rule from forward_hour where hour < ${before} order by hour limit ${limit})`);
}
