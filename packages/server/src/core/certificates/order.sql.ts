import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import type { Proof } from '../ports/certificate-authority.ts';
import type { CertificateOrder } from './certificate.ts';

const columns = sql`id, subject, domain_id, reseller_id, host, authority, method, names, state, is_sent, url, proofs, is_asked, key_sealed, troubles, version, begun_at`;

type NewOrder = Pick<CertificateOrder, 'id' | 'domain_id' | 'reseller_id' | 'host' | 'authority' | 'method' | 'names'>;

/** False: an open order already exists. */
export async function insertOrder(tx: Tx, order: NewOrder): Promise<boolean> {
  const made = await tx.run(sql`
    insert into certificate_order (id, domain_id, reseller_id, host, authority, method, names)
    values (${order.id}, ${order.domain_id}, ${order.reseller_id}, ${order.host}, ${order.authority}, ${order.method}, ${order.names})
    on conflict do nothing`);
  return made === 1;
}

export async function dueOrders(db: Reader, limit: number): Promise<CertificateOrder[]> {
  return db.many<CertificateOrder>(sql`
    select ${columns} from certificate_order where due_at <= now() order by due_at limit ${limit}`);
}

/** The fields that a step changes. */
export interface OrderStep {
  readonly isSent?: boolean;
  readonly url?: string;
  readonly proofs?: readonly Proof[] | null;
  readonly isRequested?: boolean;
  readonly encryptedKey?: string | null;
  readonly state?: 'issued' | 'failed';
  readonly reason?: string | null;
  readonly troubles?: number;
  /** Null: no further step. */
  readonly dueInMs?: number | null;
}

/** Undefined: another process has processed the order. */
export async function advanceOrder(
  tx: Tx | Autocommit,
  order: Pick<CertificateOrder, 'id' | 'version'>,
  step: OrderStep,
): Promise<CertificateOrder | undefined> {
  const set = [sql`version = version + 1`];
  if (step.isSent !== undefined) set.push(sql`is_sent = ${step.isSent}`);
  if (step.url !== undefined) set.push(sql`url = ${step.url}`);
  if (step.proofs !== undefined) set.push(sql`proofs = ${step.proofs && JSON.stringify(step.proofs)}`);
  if (step.isRequested !== undefined) set.push(sql`is_asked = ${step.isRequested}`);
  if (step.encryptedKey !== undefined) set.push(sql`key_sealed = ${step.encryptedKey}`);
  if (step.state !== undefined) set.push(sql`state = ${step.state}, ended_at = now()`);
  if (step.reason !== undefined) set.push(sql`reason = ${step.reason}`);
  if (step.troubles !== undefined) set.push(sql`troubles = ${step.troubles}`);
  if (step.dueInMs !== undefined) set.push(sql`due_at = now() + ${step.dueInMs}::float8 * interval '1 millisecond'`);
  return tx.maybe<CertificateOrder>(sql`
    update certificate_order set ${sql.join(set, ', ')} where id = ${order.id} and version = ${order.version} returning ${columns}`);
}

/** URLs of our orders for the same names. An order at the authority that is not among them may be ours, with its URL lost. */
export async function knownUrls(db: Reader, subject: string): Promise<Set<string>> {
  const rows = await db.many<{ url: string }>(sql`
    select url from certificate_order where subject = ${subject} and url is not null`);
  return new Set(rows.map((row) => row.url));
}

interface UsedBudget {
  readonly inThreeHours: number;
  /** Of each account from this one up to the top account, with all accounts below it. Empty: a mail host. */
  readonly ofAccounts: readonly number[];
  readonly ofName: number;
  /** Since the latest order that brought a certificate was begun; null: there is none. */
  readonly sinceIssuedMs: number | null;
  readonly pausedMs: number;
}

/** An order that was never created at the authority does not count against its limits. */
const counted = sql`(url is not null or state = 'open')`;
const recent = sql`${counted} and begun_at > now() - interval '3 hours'`;

/** How much of our budget at the authority is spent. `resellerId`: the account that the name belongs to; null: a mail host. */
export async function usedBudget(
  db: Reader,
  authority: string,
  of: { readonly subject: string; readonly resellerId: string | null },
): Promise<UsedBudget> {
  const row = await db.one<{
    recent: string;
    accounts: string[];
    own: string;
    since: number | null;
    paused: number | null;
  }>(sql`
    with recursive own as (
      select reseller_id as id, count(*) as n from certificate_order
      where authority = ${authority} and ${recent} and reseller_id is not null group by reseller_id),
    spent as (
      select id, n from own
      union all select r.parent_id, s.n from spent s join reseller r on r.id = s.id join reseller p on p.id = r.parent_id where p.parent_id is not null),
    above as (
      select id, parent_id, 0 as steps from reseller where id = ${of.resellerId}
      union all select r.id, r.parent_id, a.steps + 1 from above a join reseller r on r.id = a.parent_id where r.parent_id is not null)
    select (select count(*) from certificate_order where authority = ${authority} and ${recent}) as recent,
           array(select (select coalesce(sum(n), 0) from spent s where s.id = a.id)::text from above a order by a.steps) as accounts,
           (select count(*) from certificate_order where authority = ${authority} and ${counted} and subject = ${of.subject} and begun_at > now() - interval '7 days') as own,
           (select extract(epoch from now() - max(begun_at))::float8 * 1000 from certificate_order where subject = ${of.subject} and state = 'issued') as since,
           (select extract(epoch from paused_until - now())::float8 * 1000 from certificate_account where authority = ${authority}) as paused`);
  return {
    inThreeHours: Number(row.recent),
    ofAccounts: row.accounts.map(Number),
    ofName: Number(row.own),
    sinceIssuedMs: row.since,
    pausedMs: Math.max(0, row.paused ?? 0),
  };
}

/** The authority with the most orders in three hours, and the accounts that made most of them. */
export async function fullestBudget(
  db: Reader,
  shown: number,
): Promise<{ readonly authority: string; readonly count: number; readonly accounts: readonly string[] } | undefined> {
  const row = await db.maybe<{ authority: string; n: string; accounts: string[] | null }>(sql`
    with fullest as (
      select authority, count(*) as n from certificate_order where ${recent} group by authority order by n desc limit 1)
    select f.authority, f.n, array(
      select o.reseller_id::text from certificate_order o where o.authority = f.authority and ${recent} and o.reseller_id is not null
      group by o.reseller_id order by count(*) desc limit ${shown}) as accounts
    from fullest f`);
  return row && { authority: row.authority, count: Number(row.n), accounts: row.accounts ?? [] };
}

/** Authorities whose orders were abandoned within this time after repeated failures. */
export async function authoritiesAway(db: Reader, troubles: number, withinMs: number): Promise<Set<string>> {
  const rows = await db.many<{ authority: string }>(sql`
    select distinct authority from certificate_order
    where state = 'failed' and troubles >= ${troubles} and ended_at > now() - ${withinMs}::float8 * interval '1 millisecond'`);
  return new Set(rows.map((row) => row.authority));
}

export async function pauseAuthority(alone: Autocommit, authority: string, ms: number): Promise<void> {
  await alone.run(sql`
    update certificate_account set paused_until = greatest(paused_until, now() + ${ms}::float8 * interval '1 millisecond')
    where authority = ${authority}`);
}

/** The page that an authority requests from an edge. */
export async function proofPage(db: Reader, host: string, token: string): Promise<string | undefined> {
  const row = await db.maybe<{ value: string }>(sql`
    select p ->> 'value' as value from certificate_order o, jsonb_array_elements(o.proofs) p
    where o.state = 'open' and o.method = 'http-01' and p ->> 'name' = ${host} and p ->> 'token' = ${token} limit 1`);
  return row?.value;
}

export async function findAccount(
  db: Reader,
  authority: string,
): Promise<{ readonly key_sealed: string; readonly url: string | null } | undefined> {
  return db.maybe(sql`select key_sealed, url from certificate_account where authority = ${authority}`);
}

/** Of two concurrent first starts, the row of the first one stays. */
export async function insertAccount(alone: Autocommit, authority: string, encryptedKey: string): Promise<void> {
  await alone.run(sql`
    insert into certificate_account (authority, key_sealed) values (${authority}, ${encryptedKey}) on conflict do nothing`);
}

export async function keepAccountUrl(alone: Autocommit, authority: string, url: string): Promise<void> {
  await alone.run(sql`update certificate_account set url = ${url} where authority = ${authority}`);
}

/** Deletes orders that ended long ago. */
export async function purgeCertificateOrders(alone: Autocommit, days: number): Promise<number> {
  return alone.run(sql`
    delete from certificate_order where state <> 'open' and due_at is null and ended_at < now() - make_interval(days => ${days})`);
}

/** `hosts`: mail hosts, which are checked in the same way as domains. */
export async function isAnythingDue(db: Reader, hosts: readonly string[]): Promise<boolean> {
  const { due } = await db.one<{ due: boolean }>(sql`
    select exists (select from certificate_order where due_at <= now())
        or exists (select from certificate c left join forwarding f on f.domain_id = c.domain_id
                   where c.look_at <= now() and (f.domain_id is not null or c.host = any(${hosts}::text[]))) as due`);
  return due;
}

export async function failingOrders(
  db: Reader,
  troubles: number,
): Promise<{ readonly count: number; readonly reason: string }> {
  const row = await db.one<{ n: string; reason: string | null }>(sql`
    select count(*) as n, max(reason) as reason from certificate_order where state = 'open' and troubles >= ${troubles}`);
  return { count: Number(row.n), reason: row.reason ?? '' };
}
