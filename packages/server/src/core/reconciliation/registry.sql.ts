import { type Reader, sql } from '@namehold/postgres';
import { waitsForCode } from '../tables/domain.sql.ts';
import { rulesOfDomain } from '../tables/tld-registry.sql.ts';

/** One domain at one registry as we have it: its present row or latest tombstone, and the money over all its rows. */
export interface OurName {
  readonly name: string;
  readonly domain_id: string;
  readonly state: string;
  readonly operation_id: string | null;
  readonly end_date: Date | null;
  /** The registry's date, as last seen. */
  readonly registry_expires_at: Date | null;
  readonly redemption_ends_at: Date | null;
  readonly kept_until: Date | null;
  /** Set if it was adopted: only charges and bookings since then are compared. */
  readonly adopted_at: Date | null;
  readonly auto_renews: boolean;
  readonly auto_renew_days: number;
  /** An operation is open, and not for longer than allowed: the domain is not compared. */
  readonly is_busy: boolean;
  /** The operation that has been open for longer than that. */
  readonly overdue_id: string | null;
  /** What we owe the registry for it, in minor units by currency. */
  readonly payable: Readonly<Record<string, string>>;
}

interface NamesWanted {
  readonly registryId: string;
  readonly after: string;
  readonly limit: number;
  /** Older tombstones are left out. */
  readonly removedSince: Date | null;
}

export const underwayLimits = {
  /** A domain with an open operation is not compared for this long: both sides change while the operation runs. */
  minutes: 30,
  /** The same while the registry has the order under review: reviews, transfers, restore reports. */
  waitingDays: 30,
};

/** An open operation that is young enough for its domain to be skipped. */
export const isUnderway =
  sql.raw(`(o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null and o.created_at > now()
  - case o.state when 'waiting_registry' then interval '${underwayLimits.waitingDays} days' else interval '${underwayLimits.minutes} minutes' end)`);

/** A transfer that waits for another auth code changes nothing at the registry: it does not keep the row of another order from being compared. */
const ofName = sql`
  operation o join domain x on x.id = o.domain_id
  where x.registry_id = d.registry_id and x.name collate "C" = d.name and (x.id = d.id or not ${waitsForCode('x')})`;

/** A transfer is charged after its order, perhaps in the same second, by a clock that is not ours: a minute covers both. */
const facts = sql`
  d.name, d.id as domain_id, d.state, d.end_date, d.registry_expires_at, d.redemption_ends_at, d.kept_until,
  case when d.adopted_until is not null then (select x.created_at - case when x.transfer is null then interval '0' else interval '1 minute' end
    from domain x where x.id = coalesce(d.former_ids[1], d.id)) end as adopted_at,
  coalesce((select (${rulesOfDomain} ->> 'auto_renew')::boolean from tld t where t.name = d.tld), false) as auto_renews,
  coalesce((select (${rulesOfDomain} -> 'grace_days' ->> 'auto_renew')::int from tld t where t.name = d.tld), 0) as auto_renew_days,
  (select max(o.id) from operation o where o.domain_id = d.id) as operation_id,
  exists (select from ${ofName} and ${isUnderway}) as is_busy,
  (select max(o.id) from ${ofName} and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null and not ${isUnderway}) as overdue_id,
  coalesce((select jsonb_object_agg(currency, total::text) from (
    select e.currency, sum(e.amount) as total
    from domain x join ledger_transaction t on t.domain_id = x.id and t.type in ('domain', 'registry')
    join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id and a.kind = 'registry_payable'
    where x.registry_id = d.registry_id and x.name collate "C" = d.name and (d.adopted_until is null or x.id >= coalesce(d.former_ids[1], d.id))
    group by e.currency) owed), '{}') as payable`;

/** In byte order, which is the same here, at the registry and in JavaScript. */
export async function ourNames(db: Reader, wanted: NamesWanted): Promise<OurName[]> {
  return db.many<OurName>(sql`
    with page as (
      select distinct on (name collate "C") id from domain
      where registry_id = ${wanted.registryId} and name collate "C" > ${wanted.after}
        and state <> 'unpaid' and (state <> 'removed' or ${wanted.removedSince}::timestamptz is null or removed_at > ${wanted.removedSince})
      order by name collate "C", (state = 'removed'), ${waitsForCode('domain')}, id desc limit ${wanted.limit}
    )
    select ${facts} from page p join domain d on d.id = p.id order by d.name collate "C"`);
}

export async function ourName(db: Reader, registryId: string, name: string): Promise<OurName | undefined> {
  return db.maybe<OurName>(sql`
    select ${facts} from domain d where d.registry_id = ${registryId} and d.name collate "C" = ${name} and d.state <> 'unpaid'
    order by (d.state = 'removed'), ${waitsForCode('d')}, d.id desc limit 1`);
}

interface PurchaseOfCost {
  readonly transaction_id: string;
  readonly reseller_id: string;
  /** Charged to the buyer and not refunded. */
  readonly kept: string;
  readonly currency: string;
}

/** The last purchase for a domain with this cost at the registry that was not refunded: the buyer's level of it. */
export async function purchaseOfCost(
  db: Reader,
  wanted: { registryId: string; name: string; cost: string; currency: string },
): Promise<PurchaseOfCost | undefined> {
  return db.maybe<PurchaseOfCost>(sql`
    select b.id as transaction_id, b.reseller_id, b.captured - b.refunded as kept, b.currency
    from domain d join ledger_transaction t on t.domain_id = d.id join ledger_transaction b on b.id = t.purchase_id
    where d.registry_id = ${wanted.registryId} and d.name collate "C" = ${wanted.name} and b.status = 'completed'
      and t.cost_posted = ${wanted.cost} and t.cost_currency = ${wanted.currency}
    order by b.id desc limit 1`);
}

interface BalanceStep {
  readonly at: Date;
  readonly currency: string;
  /** What left our account there, and by how much the ledger grew. */
  readonly left: string;
  readonly booked: string;
  readonly underway: string;
}

/** As long as the alarm of the daily comparison stays visible. */
const comparedDays = 7;

/**
 * The fall of a balance that the ledger explains least, among the readings of the last days and the one before them; undefined without
 * two readings of one currency. A deposit raises the balance plus what we owe, and hides no fall that came after it.
 */
export async function worstBalanceStep(db: Reader, registryId: string): Promise<BalanceStep | undefined> {
  return db.maybe<BalanceStep>(sql`
    with reported as (select at, currency, balance, payable, underway, balance + payable as stands from registry_balance where registry_id = ${registryId}),
    late as (select max(at) - ${comparedDays} * interval '1 day' as since from reported),
    readings as (select at, currency, balance, payable, underway, stands from reported where at >= coalesce((select max(at) from reported, late where at < since), '-infinity')),
    judged as (select at, currency, balance, payable, underway, stands, max(stands) over (partition by currency order by at rows between unbounded preceding and 1 preceding) as before from readings),
    worst as (select at, currency, balance, payable, underway, stands, before from judged where before is not null order by before - stands - underway desc, at limit 1)
    select w.at, w.currency, a.balance - w.balance as left, w.payable - a.payable as booked, w.underway
    from worst w join lateral (select balance, payable from readings r where r.currency = w.currency and r.at < w.at and r.stands = w.before
      order by r.at desc limit 1) a on true`);
}
