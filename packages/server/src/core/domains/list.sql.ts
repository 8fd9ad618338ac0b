import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';
import type { Domain, DomainState, RemovedReason } from '../model/domain.ts';
import type { OperationState } from '../model/operation.ts';
import type { Kind } from '../model/operation-kinds.ts';
import type { TldRules } from '../model/tld.ts';
import { atMost, countSome, nearerEnd, totalOf } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';
import { asciiAddress } from '../reference/email.ts';
import { domainTable } from '../tables/domain.sql.ts';
import { rulesOfDomain } from '../tables/tld-registry.sql.ts';

/** A domain with the related data of the list page. A parent does not see customers and operations of its sub-resellers. */
export interface DomainRow extends Domain {
  readonly customer_name: string | null;
  readonly customer_email: string | null;
  readonly operation_id: string | null;
  readonly operation_kind: Kind | null;
  readonly operation_state: OperationState | null;
}

export interface DomainFilter {
  readonly domainId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly tld?: string | undefined;
  readonly listStatus?: ListStatus | undefined;
  /** The whole domain name, in its stored form. */
  readonly name?: string | undefined;
  /** The beginning of the domain name, in lower case. */
  readonly namePrefix?: string | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
  readonly endsFrom?: Date | undefined;
  readonly endsTo?: Date | undefined;
}

/** The order of a list; ties are in order of creation. */
export type DomainOrder = { readonly by: 'name' | 'end' | 'made'; readonly isDown: boolean };

/** Must match the indexes. The default is the order of creation of the rows. */
function orderOf(order: DomainOrder | undefined): Sql {
  if (!order) return sql`d.id`;
  const { by, isDown } = order;
  if (by === 'name') return isDown ? sql`d.name using ~>~, d.id desc` : sql`d.name using ~<~, d.id`;
  if (by === 'end') return isDown ? sql`d.end_date desc nulls first, d.id desc` : sql`d.end_date, d.id`;
  const made = sql`coalesce(d.registry_created_at, d.created_at)`;
  return isDown ? sql`${made} desc, d.id desc` : sql`${made}, d.id`;
}

const reversed = (order: DomainOrder | undefined): Sql =>
  order ? orderOf({ ...order, isDown: !order.isDown }) : sql`d.id desc`;

/** The status by which a list is filtered. */
export type ListStatus =
  | 'in_force'
  | 'expired'
  | 'suspended'
  | Exclude<DomainState, 'live' | 'removed'>
  | 'given_up'
  | 'gone'
  | 'transferred_away'
  | 'moved';

const reasonsOf: Partial<Record<ListStatus, readonly RemovedReason[]>> = {
  given_up: ['refused', 'cancelled'],
  gone: ['deleted', 'dropped'],
  transferred_away: ['transferred_away'],
  moved: ['moved'],
};

/** The domain state of a list status, if the state alone defines it (apart from expired domains among the active ones). */
function stateOf(listStatus: ListStatus): DomainState | undefined {
  if (listStatus === 'in_force') return 'live';
  const isMore = ['expired', 'suspended', 'pending', 'pending_transfer'].includes(listStatus);
  return isMore || reasonsOf[listStatus] ? undefined : (listStatus as DomainState);
}

function withStatus(listStatus: ListStatus | undefined, now: Date): Sql {
  // Tombstones are listed only on request.
  if (listStatus === undefined) return sql`d.state <> 'removed'`;
  const reasons = reasonsOf[listStatus];
  if (reasons) return sql`d.state = 'removed' and d.removed_reason = any (${reasons}::text[])`;
  if (listStatus === 'in_force') return sql`d.state = 'live' and (d.end_date is null or d.end_date > ${now})`;
  if (listStatus === 'expired') return sql`d.state = 'live' and d.end_date <= ${now}`;
  if (listStatus === 'suspended')
    return sql`d.state = 'live' and (d.suspended or d.registry_status && array['clientHold', 'serverHold'])`;
  // A transfer in is pending too, and is listed separately.
  if (listStatus === 'pending') return sql`d.state = 'pending' and d.transfer is null`;
  if (listStatus === 'pending_transfer')
    return sql`(d.state = 'pending_transfer' or (d.state = 'pending' and d.transfer is not null))`;
  return sql`d.state = ${listStatus}`;
}

/** Behind row-level security only plain columns and leakproof operators reach an index: no lower(), no like. */
function conditions(filter: DomainFilter): Sql[] {
  const made: Sql[] = [];
  if (filter.domainId) made.push(sql`d.id = ${filter.domainId}`);
  if (filter.customerId) made.push(sql`d.customer_id = ${filter.customerId}`);
  if (filter.tld) made.push(sql`d.tld = ${filter.tld}`);
  if (filter.name) made.push(sql`d.name = ${filter.name}`);
  // Domain names are ASCII: every domain name with this prefix sorts before the prefix followed by DEL.
  if (filter.namePrefix)
    made.push(sql`d.name ~>=~ ${filter.namePrefix} and d.name ~<~ ${`${filter.namePrefix}\u007f`}`);
  if (filter.isPrivate === true) made.push(sql`d.privacy_enabled`);
  if (filter.isPrivate === false) made.push(sql`not d.privacy_enabled`);
  if (filter.createdFrom) made.push(sql`coalesce(d.registry_created_at, d.created_at) >= ${filter.createdFrom}`);
  if (filter.createdTo) made.push(sql`coalesce(d.registry_created_at, d.created_at) <= ${filter.createdTo}`);
  if (filter.endsFrom) made.push(sql`d.end_date >= ${filter.endsFrom}`);
  if (filter.endsTo) made.push(sql`d.end_date <= ${filter.endsTo}`);
  return made;
}

const beside = sql.raw(`c.name as customer_name, c.email as customer_email,
  o.id as operation_id, o.kind as operation_kind, o.state as operation_state`);
const besides = sql.raw(`left join customer c on c.id = d.customer_id
  left join operation o on o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null`);

interface Where {
  readonly resellerIds: readonly string[];
  readonly filter: DomainFilter;
  readonly now: Date;
}

/** Usually there is one reseller; the index that begins with it is read in the order of the ids. */
function whereOf({ resellerIds, filter, now }: Where): Sql {
  const owner =
    resellerIds.length === 1
      ? sql`d.reseller_id = ${resellerIds[0]}`
      : sql`d.reseller_id = any (${resellerIds}::bigint[])`;
  // One row per domain: an unpaid order for a domain that is held already is listed only if unpaid orders are requested.
  const shown = filter.listStatus === undefined ? [sql`d.id <> all (${outdatedOrders(resellerIds)})`] : [];
  return sql.join([owner, withStatus(filter.listStatus, now), ...shown, ...conditions(filter)], ' and ');
}

/** Unpaid orders whose domain their reseller holds already. There are few; they are found by the index of states once per statement. */
const outdatedOrders = (resellerIds: readonly string[]): Sql => sql`array(
  select u.id from domain u
  where u.reseller_id = any (${resellerIds}::bigint[]) and u.state = 'unpaid'
    and exists (select from domain e where e.name = u.name and e.reseller_id = u.reseller_id and e.state not in ('removed', 'unpaid')))`;

/**
 * Finds the page in the index only and fetches just its rows. If the length of the list is known, it starts from the nearer end, so that
 * a late page costs no more than its place in the index.
 */
async function listDomainRows(
  db: Reader,
  where: Where,
  part: { readonly isFromEnd: boolean; readonly part: Sql },
  order: DomainOrder | undefined,
): Promise<DomainRow[]> {
  const ordered = orderOf(order);
  return db.many<DomainRow>(sql`
    with page as materialized (
      select d.id from domain d where ${whereOf(where)} order by ${part.isFromEnd ? reversed(order) : ordered} ${part.part}
    )
    select ${domainTable.of('d')}, ${beside} from page join domain d on d.id = page.id ${besides} order by ${ordered}`);
}

export function pageOfDomains(
  db: Reader,
  where: Where,
  page: Page,
  order: DomainOrder | undefined,
): Promise<Listed<DomainRow>> {
  return isKept(where.filter) ? pageOfAll(db, where, page, order) : pageOfSome(db, where, page, order);
}

async function pageOfAll(
  db: Reader,
  where: Where,
  page: Page,
  order: DomainOrder | undefined,
): Promise<Listed<DomainRow>> {
  const kept = keptTotal(where);
  const count = async () => Number((await db.one<{ n: string }>(sql`select ${kept} as n`)).n);
  const rowsOf = (known: number) => listDomainRows(db, where, nearerEnd(page, known, kept), order);
  // Only for later pages is the total needed first, to choose the nearer end.
  if (page.offset >= page.limit) {
    const total = await count();
    return { rows: page.offset >= total ? [] : await rowsOf(total), total };
  }
  const [rows, total] = await Promise.all([rowsOf(Infinity), count()]);
  return { rows, total };
}

/** Reads one row more than the limit to know whether others follow. */
async function pageOfSome(
  db: Reader,
  where: Where,
  page: Page,
  order: DomainOrder | undefined,
): Promise<Listed<DomainRow>> {
  const part = { isFromEnd: false, part: sql`limit ${page.limit + 1} offset ${page.offset}` };
  const [found, counted] = await Promise.all([
    listDomainRows(db, where, part, order),
    countSome(db, { table: sql`domain d`, where: whereOf(where) }),
  ]);
  const totals = totalOf(counted);
  const most = totals.totalIs ? await totalOfAll(db, where) : 0;
  const rows = found.slice(0, page.limit);
  return { rows, ...atMost(totals, most), isMore: found.length > rows.length };
}

/** Whether a stored total exists for this filter. */
function isKept(filter: DomainFilter): boolean {
  const { listStatus } = filter;
  return conditions(filter).length === 0 && (listStatus === undefined || stateOf(listStatus) !== undefined);
}

/** Expired domains are subtracted from the active ones; there are few. */
function keptTotal(where: Where): Sql {
  const { listStatus } = where.filter;
  const state = listStatus && stateOf(listStatus);
  const all = sql`(select coalesce(sum(difference), 0)::bigint from domain_total
    where reseller_id = any (${where.resellerIds}::bigint[])
      and state <> 'removed' and state = coalesce(${state ?? null}, state))`;
  if (listStatus === undefined) return sql`(${all} - cardinality(${outdatedOrders(where.resellerIds)}))`;
  if (listStatus !== 'in_force') return all;
  return sql`(${all} - (
    select count(*) from domain d where ${whereOf({ ...where, filter: { listStatus: 'expired' } })}))`;
}

/** Includes removed domains if the list status selects them. */
async function totalOfAll(db: Reader, { resellerIds, filter: { listStatus } }: Where): Promise<number> {
  const isGone = listStatus !== undefined && reasonsOf[listStatus] !== undefined;
  const { n } = await db.one<{ n: string }>(sql`
    select coalesce(sum(difference), 0)::bigint as n from domain_total
    where reseller_id = any (${resellerIds}::bigint[]) and (state = 'removed') = ${isGone}`);
  return Number(n);
}

export async function readDomainRow(db: Reader, resellerId: string, id: string): Promise<DomainRow | undefined> {
  return db.maybe<DomainRow>(sql`
    select ${domainTable.of('d')}, ${beside} from domain d ${besides} where d.id = ${id} and d.reseller_id = ${resellerId}`);
}

/** The caller, and its direct sub-resellers if they are requested. */
export async function listOwners(
  db: Reader,
  callerId: string,
  want: { withChildren: boolean; resellerId?: string | undefined; email?: string | undefined },
): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select r.id from reseller r
    where (r.id = ${callerId} or (${want.withChildren} and r.parent_id = ${callerId}))
      and (${want.resellerId ?? null}::bigint is null or r.id = ${want.resellerId ?? null})
      and (${want.email ?? null}::text is null or lower(r.email) = lower(${want.email === undefined ? null : asciiAddress(want.email)}))
    order by r.id`);
  return rows.map((row) => row.id);
}

type OfTld = Pick<Domain, 'tld' | 'registry_id'>;

/** The rules of each domain's TLD at its registry. */
export async function rulesOfEach(
  db: Reader,
  domains: readonly OfTld[],
): Promise<(domain: OfTld) => TldRules | undefined> {
  const keyOf = ({ tld, registry_id }: OfTld) => `${tld} ${registry_id}`;
  const wanted = [...new Map(domains.map((domain) => [keyOf(domain), domain])).values()];
  const rows = await db.many<OfTld & { rules: TldRules }>(sql`
    select d.tld, d.registry_id, ${rulesOfDomain} as rules
    from unnest(${wanted.map(({ tld }) => tld)}::text[], ${wanted.map(({ registry_id }) => registry_id)}::text[]) as d (tld, registry_id)
      join tld t on t.name = d.tld`);
  const known = new Map(rows.map((row) => [keyOf(row), row.rules]));
  return (domain) => known.get(keyOf(domain));
}

export async function rollUpDomainTotals(tx: Tx, rows: number): Promise<number> {
  const { n } = await tx.one<{ n: string }>(sql`select domain_total_fold(${rows}) as n`);
  return Number(n);
}
