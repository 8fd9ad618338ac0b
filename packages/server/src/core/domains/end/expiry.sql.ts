import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../../model/domain.ts';
import { domainTable } from '../../tables/domain.sql.ts';
import { rulesOfDomain } from '../../tables/tld-registry.sql.ts';
import { lifePolicy } from '../lifecycle.ts';
import { hasEarlierDate, isTryDue } from '../renewal/renewal.sql.ts';

const noOperation = sql`not exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null)`;

/** True if the mark is new. */
export async function markExpiry(
  tx: Tx,
  domain: Pick<Domain, 'id' | 'reseller_id' | 'end_date'>,
  mark: string,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into expiry_mark (domain_id, reseller_id, end_date, mark, at)
    values (${domain.id}, ${domain.reseller_id}, ${domain.end_date}, ${mark}, ${now}) on conflict do nothing`);
  return inserted === 1;
}

/** A domain with an expiry date, with the data for its notices. */
export interface EndingName
  extends Pick<
    Domain,
    | 'id'
    | 'reseller_id'
    | 'name'
    | 'tld'
    | 'registry_id'
    | 'state'
    | 'registry_expires_at'
    | 'registry_renew_by'
    | 'registrant_contact_id'
    | 'premium_class'
    | 'kept_until'
  > {
  readonly end_date: Date;
}

const endingColumns = sql.raw(
  'd.id, d.reseller_id, d.name, d.tld, d.registry_id, d.state, d.registry_expires_at, d.registry_renew_by, d.registrant_contact_id, d.premium_class, d.end_date, d.kept_until',
);

/** Domains whose term ends, or that must be renewed, by `by` and that do not have the mark yet. A reminder before the end is sent only before the end. */
export async function endingBy(
  db: Reader,
  due: { readonly now: Date; readonly by: Date; readonly mark: string; readonly tlds: readonly string[] },
  limit: number,
): Promise<EndingName[]> {
  const { now, by, mark, tlds } = due;
  const isLeft = sql`d.tld = any (${tlds}::text[])
    and not exists (select from expiry_mark m where m.domain_id = d.id and m.end_date = d.end_date and m.mark = ${mark})`;
  const byTerm = await db.many<EndingName>(sql`
    select ${endingColumns} from domain d where d.state = 'live' and d.end_date <= ${by} and (d.end_date > ${now} or ${by}::timestamptz <= ${now})
      and ${isLeft}
    order by d.end_date limit ${limit}`);
  if (byTerm.length === limit || by <= now) return byTerm;
  const earlier = await db.many<EndingName>(sql`
    select ${endingColumns} from domain d where d.state = 'live' and ${hasEarlierDate} and d.registry_renew_by <= ${by} and d.end_date > ${by}
      and ${isLeft}
    order by d.registry_renew_by limit ${limit - byTerm.length}`);
  return [...byTerm, ...earlier];
}

/** At most `limit` rows, without those that were already processed in this round. */
interface DueDomain {
  readonly seen: readonly string[];
  readonly limit: number;
}

/** Domains for which a date has passed since the registry was last queried. */
export async function dueForCheck(
  db: Reader,
  registryId: string,
  now: Date,
  { seen, limit }: DueDomain,
): Promise<Domain[]> {
  const theirs = sql`d.registry_id = ${registryId} and d.id <> all (${seen}::bigint[]) and ${noOperation}`;
  const transferAgain = new Date(now.getTime() - lifePolicy.transferAgainMs);
  const missingAgain = new Date(now.getTime() - lifePolicy.missingAgainMs);
  return db.many<Domain>(sql`
    (select ${domainTable.of('d')} from domain d where d.state = 'live' and d.end_date <= ${now} and (d.synced_at is null or d.synced_at < d.end_date) and ${theirs}
       order by d.end_date limit ${limit})
    union all
    (select ${domainTable.of('d')} from domain d where d.state = 'live' and d.registry_expires_at <= ${now} and d.synced_at >= d.end_date
       and d.synced_at < d.registry_expires_at and ${theirs} order by d.registry_expires_at limit ${limit})
    union all
    (select ${domainTable.of('d')} from domain d where d.state = 'live' and d.end_date <= ${now} and d.grace_ends_at <= ${now}
       and d.synced_at >= d.end_date and d.synced_at < d.grace_ends_at and ${theirs} limit ${limit})
    union all
    (select ${domainTable.of('d')} from domain d where d.state = 'pending_transfer' and ${theirs} and (d.synced_at is null or d.synced_at <= ${transferAgain}
       or (d.synced_at < (d.transfer_away ->> 'action_at')::timestamptz and (d.transfer_away ->> 'action_at')::timestamptz <= ${now})) limit ${limit})
    union all
    (select ${domainTable.of('d')} from domain d where d.missing_since <= ${missingAgain} and d.synced_at <= ${missingAgain} and d.state not in ('removed', 'unpaid') and ${theirs}
       limit ${limit})
    union all
    (select ${domainTable.of('d')} from domain d join tld t on t.name = d.tld
     where d.state in ('redemption', 'pending_restore', 'pending_delete') and d.redemption_ends_at <= ${now}
       and (d.synced_at < d.redemption_ends_at
         or (d.redemption_ends_at + make_interval(days => (${rulesOfDomain}->'grace_days'->>'pending_delete')::int) <= ${now}
           and d.synced_at < d.redemption_ends_at + make_interval(days => (${rulesOfDomain}->'grace_days'->>'pending_delete')::int)))
       and ${theirs} order by d.redemption_ends_at limit ${limit})`);
}

/** Expired domains without an expiry event. */
export async function newlyExpired(db: Reader, now: Date, limit: number): Promise<EndingName[]> {
  return db.many<EndingName>(sql`
    select ${endingColumns} from domain d where d.state = 'live' and d.end_date <= ${now}
      and not exists (select from expiry_mark m where m.domain_id = d.id and m.end_date = d.end_date and m.mark = 'expired')
    order by d.end_date limit ${limit}`);
}

/**
 * Unpaid domains near the end of the auto-renew grace period, and those that were kept beyond it until their date. A domain with
 * automatic renewal is renewed first, and is deleted only after a reported refusal; an unreachable registry is no refusal.
 */
export async function unpaidInGrace(
  db: Reader,
  registryId: string,
  times: { readonly now: Date; readonly by: Date; readonly refusedSince: Date },
  { seen, limit }: DueDomain,
): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select ${domainTable.of('d')} from domain d where d.state = 'live' and d.end_date <= ${times.now} and d.registry_expires_at > d.end_date
      and ((d.kept_until is null and d.grace_ends_at <= ${times.by}) or d.kept_until <= ${times.now}) and d.registry_id = ${registryId}
      and d.id <> all (${seen}::bigint[]) and ${noOperation}
      and not (d.renewal_mode in ('renew', 'renew_once') and (${isTryDue(times.now)}
        or not exists (select from expiry_mark m where m.domain_id = d.id and m.end_date = d.end_date and m.mark = 'renewal-failed')))
      and not exists (select from operation o where o.domain_id = d.id and o.kind = 'delete' and o.state = 'refused' and o.finished_at > ${times.refusedSince})
    order by d.grace_ends_at limit ${limit}`);
}

const isRefused = (since: Date) => sql`exists (
  select from operation o where o.domain_id = d.id and o.kind = 'update' and o.request ->> 'change' = 'unpaid' and o.state = 'refused' and o.finished_at > ${since})`;

/**
 * Unpaid domains that may have to be taken out of the DNS now, in the order of their deletion. Automatic renewal is tried first; locked
 * domains are left out.
 */
export async function dueForInterruption(
  db: Reader,
  registryId: string,
  times: { readonly now: Date; readonly by: Date; readonly refusedSince: Date },
  tlds: readonly string[],
  { seen, limit }: DueDomain,
): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select ${domainTable.of('d')} from domain d where d.state = 'live' and d.end_date <= ${times.now}
      and ((d.grace_ends_at > ${times.now} and d.grace_ends_at <= ${times.by}) or (d.kept_until > ${times.now} and d.kept_until <= ${times.by})) and not d.unpaid and not d.locked and d.registry_id = ${registryId} and d.tld = any (${tlds}::text[])
      and d.id <> all (${seen}::bigint[]) and ${noOperation}
      and not (d.renewal_mode <> 'manual' and ${isTryDue(times.now)}) and not ${isRefused(times.refusedSince)}
    order by d.grace_ends_at limit ${limit}`);
}

/** Paid domains that are still on hold because their renewal could not remove it. */
export async function dueForResumption(
  db: Reader,
  registryId: string,
  times: { readonly now: Date; readonly refusedSince: Date },
  { seen, limit }: DueDomain,
): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select ${domainTable.of('d')} from domain d where d.unpaid and d.registry_id = ${registryId} and d.state = 'live' and d.end_date > ${times.now}
      and not d.locked and d.id <> all (${seen}::bigint[]) and ${noOperation} and not ${isRefused(times.refusedSince)} limit ${limit}`);
}

/** False: it is kept already, or was paid meanwhile. The date is compared as in `claimTry`. */
export async function keepUntil(
  tx: Tx,
  domain: Pick<Domain, 'id' | 'end_date'>,
  times: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  // An auth code that was issued is no longer valid.
  const kept = await tx.run(sql`
    update domain set kept_until = ${times.until}, auth_code_expires_at = case when auth_code_expires_at is not null then ${times.now}::timestamptz end
    where id = ${domain.id} and state = 'live' and kept_until is null and end_date is not distinct from ${domain.end_date}`);
  return kept === 1;
}

export async function countKept(db: Reader, registryId: string): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(*) as n from domain where registry_id = ${registryId} and kept_until is not null and state = 'live'`);
  return Number(n);
}

export async function endUnpaidHold(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update domain set unpaid = false, unpaid_at = null where id = ${id}`);
}

/** Open alarms about domains that have been paid since, or are gone. Starts from the alarms, because there are few of them. */
export async function paidAlarms(db: Reader, registryId: string, now: Date): Promise<string[]> {
  const rows = await db.many<{ key: string }>(sql`
    with existing as materialized (
      select key, substr(key, length('expiry:') + 1)::bigint as id from alarm where cleared_at is null and key ~ '^expiry:[0-9]{1,18}$'
    )
    select s.key from existing s join domain d on d.id = s.id
    where d.registry_id = ${registryId} and (d.state <> 'live' or d.end_date > ${now})`);
  return rows.map(({ key }) => key);
}
