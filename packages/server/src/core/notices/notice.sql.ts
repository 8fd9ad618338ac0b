import { type Autocommit, type Reader, type Sql, sql, Table, type Tx } from '@namehold/postgres';
import { pageOfNewest } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';
import { asciiAddress } from '../reference/email.ts';
import type { Notice, NoticeState } from './notice.ts';
import type { LimitPurpose, SecurityTopic } from './security-topics.ts';

interface UnshownColumns {
  readonly secret_sealed: string | null;
  readonly suppressed_by: Ceiling | null;
  readonly purpose: NoticePurpose | null;
  readonly is_proven: boolean;
  readonly fold_key: string | null;
}

export const noticeTable = new Table<Notice, UnshownColumns>(
  'notice',
  {
    id: 'text',
    reseller_id: 'bigint',
    kind: 'text',
    domain_id: 'bigint?',
    contact_id: 'bigint?',
    address: 'text',
    recipient: 'text',
    language: 'text',
    sender_name: 'text',
    sender_address: 'text?',
    reply_to: 'text?',
    subject: 'text',
    body_text: 'text',
    body_html: 'text',
    state: 'text',
    created_at: 'timestamptz',
    queued_at: 'timestamptz',
    tries: 'integer',
    result: 'text?',
    ended_at: 'timestamptz?',
  },
  { secret_sealed: 'text?', suppressed_by: 'text?', purpose: 'text?', is_proven: 'boolean', fold_key: 'text?' },
);
const { columns } = noticeTable;

type Ceiling = 'account' | 'mailbox';

type NewNoticeRow = Omit<Notice, 'state' | 'queued_at' | 'tries' | 'result' | 'ended_at'> & UnshownColumns;

/** What has a budget apart from other mail of its kind. */
export type NoticePurpose = SecurityTopic | LimitPurpose | 'former_address' | 'claim';

export interface MailBudget {
  readonly ceiling: Ceiling | null;
  /** A user of the account signs in with the address, or it was confirmed by a link of the account. */
  readonly isProven: boolean;
  /** Until the budget has room again; null: it has. */
  readonly retryAfterSeconds: number | null;
}

export async function readMailBudget(
  tx: Tx,
  mail: {
    readonly resellerId: string;
    readonly address: string;
    readonly kinds: readonly string[];
    readonly purpose: NoticePurpose | null;
    readonly perAccount: number;
    readonly perMailbox: number;
    readonly perMailboxOfAll: number;
    readonly atLeast: number;
    readonly atLeastOwn: number;
    readonly accountsAtMailbox: number;
    readonly spacingMinutes: number | null;
  },
): Promise<MailBudget> {
  const row = await tx.one<{ ceiling: Ceiling | null; is_proven: boolean; seconds: number | null }>(sql`
    select ceiling, is_proven, greatest(ceil(extract(epoch from retry_at - now())), 1)::integer as seconds
    from mail_allowance(${mail.resellerId}, ${mail.address}, ${mail.kinds}, ${mail.purpose}, ${mail.perAccount}, ${mail.perMailbox},
      ${mail.perMailboxOfAll}, ${mail.atLeast}, ${mail.atLeastOwn}, ${mail.accountsAtMailbox}, make_interval(mins => ${mail.spacingMinutes}))`);
  return {
    ceiling: row.ceiling,
    isProven: row.is_proven,
    retryAfterSeconds: row.ceiling === null ? null : row.seconds,
  };
}

/** Mail that daily limits suppressed within a day. `isAlarmRaised`: that alarm is open. */
export async function suppressedNotices(
  db: Reader,
  alarmKey: string,
): Promise<{ count: number; accounts: string[]; isAlarmRaised: boolean }> {
  const row = await db.one<{ n: string; accounts: string[] | null; is_told: boolean }>(sql`
    select count(*) as n, array_agg(distinct reseller_id::text) as accounts,
      exists (select from alarm where key = ${alarmKey} and cleared_at is null) as is_told
    from notice where suppressed_by is not null and queued_at > now() - interval '1 day'`);
  return { count: Number(row.n), accounts: row.accounts ?? [], isAlarmRaised: row.is_told };
}

/** Whether mail with this key was sent within a day. */
export async function wasMailed(tx: Tx, resellerId: string, foldKey: string): Promise<boolean> {
  const { was } = await tx.one<{ was: boolean }>(sql`
    select exists (
      select from notice where reseller_id = ${resellerId} and fold_key = ${foldKey} and queued_at > now() - interval '1 day'
        and suppressed_by is null) as was`);
  return was;
}

export async function insertNotice(tx: Tx, row: NewNoticeRow): Promise<void> {
  await tx.run(noticeTable.insert({ ...row }));
}

export interface DueNotice extends Notice {
  readonly secret_sealed: string | null;
  readonly suppressed_by: Ceiling | null;
  readonly is_late: boolean;
}

/** Takes due notices, oldest first. No other process takes them until `leaseMs` is over; after a crash the next process continues. */
export async function takeDue(
  alone: Autocommit,
  limits: { readonly count: number; readonly leaseMs: number; readonly giveUpHours: number },
): Promise<DueNotice[]> {
  return alone.many<DueNotice>(sql`
    update notice n set due_at = now() + ${limits.leaseMs}::float8 * interval '1 millisecond'
    where n.id in (select id from notice where state = 'queued' and due_at <= now() order by due_at limit ${limits.count} for update skip locked)
    returning ${noticeTable.of('n')}, n.secret_sealed, n.suppressed_by, n.queued_at < now() - make_interval(hours => ${limits.giveUpHours}) as is_late`);
}

/** Postponed: tried or not, it is due again after the pause. */
export async function putBack(
  alone: Autocommit,
  id: string,
  again: { readonly pauseMs: number; readonly tries: number; readonly result: string },
): Promise<void> {
  await alone.run(sql`
    update notice set due_at = now() + ${again.pauseMs}::float8 * interval '1 millisecond', tries = tries + ${again.tries}, result = ${again.result}
    where id = ${id} and state = 'queued'`);
}

/** False: another process has ended it. */
export async function endNotice(
  tx: Tx,
  id: string,
  end: { readonly state: NoticeState; readonly tries: number; readonly result: string },
): Promise<boolean> {
  const ended = await tx.run(sql`
    update notice set state = ${end.state}, tries = tries + ${end.tries}, result = ${end.result}, ended_at = now(), secret_sealed = null
    where id = ${id} and state = 'queued'`);
  return ended === 1;
}

/** True if it was not known yet. */
export async function markBounced(tx: Tx, id: string, result: string): Promise<Notice | undefined> {
  return tx.maybe<Notice>(sql`
    update notice set state = 'bounced', result = ${result}, ended_at = now(), secret_sealed = null
    where id = ${id} and state in ('queued', 'sent') returning ${columns}`);
}

/** Marks an address as bouncing; `of`: the business time of it. */
export async function markAddressBounced(
  tx: Tx,
  of: { readonly resellerId: string; readonly address: string; readonly reason: string },
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into mail_address (reseller_id, address_key, bounced_at, bounce_reason)
    values (${of.resellerId}, lower(${asciiAddress(of.address)}), ${now}, ${of.reason})
    on conflict (reseller_id, address_key) do update set bounced_at = excluded.bounced_at, bounce_reason = excluded.bounce_reason`);
}

/** The known state of an address within a reseller. */
export interface AddressRow {
  readonly verified_at: Date | null;
  readonly bounced_at: Date | null;
}

export async function findAddress(db: Reader, resellerId: string, address: string): Promise<AddressRow | undefined> {
  return db.maybe<AddressRow>(sql`
    select verified_at, bounced_at from mail_address where reseller_id = ${resellerId} and address_key = lower(${asciiAddress(address)})`);
}

export interface NoticeFilter {
  readonly state?: NoticeState | undefined;
  readonly kind?: string | undefined;
  readonly domainId?: string | undefined;
}

export async function listNoticeRows(
  db: Reader,
  resellerId: string,
  filter: NoticeFilter,
  page: Page,
): Promise<Listed<Notice>> {
  const made: Sql[] = [sql`reseller_id = ${resellerId}`];
  if (filter.state) made.push(sql`state = ${filter.state}`);
  if (filter.kind) made.push(sql`kind = ${filter.kind}`);
  if (filter.domainId) made.push(sql`domain_id = ${filter.domainId}`);
  return pageOfNewest<Notice>(db, columns, { table: sql`notice`, where: sql.join(made, ' and '), id: sql`id` }, page);
}

export async function countNotices(
  db: Reader,
  of: { readonly domainId: string; readonly kind: string; readonly since: Date },
): Promise<number> {
  const { n } = await db.one<{ n: string }>(sql`
    select count(*) as n from notice where domain_id = ${of.domainId} and kind = ${of.kind} and created_at > ${of.since}`);
  return Number(n);
}

export async function findNotice(db: Reader, resellerId: string, id: string): Promise<Notice | undefined> {
  return db.maybe<Notice>(sql`select ${columns} from notice where id = ${id} and reseller_id = ${resellerId}`);
}

/** Number of waiting notices, and since when the oldest waits. `isAlarmRaised`: that alarm is open. */
export async function waitingNotices(
  db: Reader,
  alarmKey: string,
): Promise<{ count: number; seconds: number; isAlarmRaised: boolean }> {
  const row = await db.one<{ n: string; seconds: number | null; is_told: boolean }>(sql`
    select count(*) as n, extract(epoch from now() - min(queued_at))::float8 as seconds,
      exists (select from alarm where key = ${alarmKey} and cleared_at is null) as is_told
    from notice where state = 'queued'`);
  return { count: Number(row.n), seconds: row.seconds ?? 0, isAlarmRaised: row.is_told };
}
