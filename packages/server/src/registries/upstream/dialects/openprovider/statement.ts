import type { Reply, ReportedRefunds, StatementLine } from '../../../../core/ports/registry.ts';
import type { AccountDomain, Page, StatementEntry, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, objectOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { accountDomainOf } from './detail.ts';
import { question, rowsOf } from './message.ts';
import { localTimeOf } from './time.ts';

const pageSize = 1_000;
const pages = 20;

type Query = Readonly<Record<string, string>>;

async function pageOf(
  send: UpstreamClient,
  path: string,
  query: Query,
  offset: number,
  ...names: readonly string[]
): Promise<Reply<{ readonly rows: readonly Fields[]; readonly next: number | undefined }>> {
  const range = { limit: String(pageSize), offset: String(offset) };
  const { reply } = await send(question(path, { ...query, ...range }, ...names));
  if (reply.kind !== 'done') return reply;
  const found = rowsOf(reply.data);
  if (!found) return { kind: 'unsent', why: `the list ${path} cannot be read` };
  const end = offset + found.rows.length;
  const isLast = found.rows.length === 0 || end >= found.total;
  return { ...reply, data: { rows: found.rows, next: isLast ? undefined : end } };
}

/** The cursor is the offset. In the order of the ids, so that a new domain is at the end. */
export async function listPage(
  send: UpstreamClient,
  { openprovider }: UpstreamProfile,
  now: Date,
  cursor = '0',
): Promise<Reply<Page<AccountDomain>>> {
  const reply = await pageOf(send, '/domains', { 'order_by.id': 'asc' }, Number(cursor));
  if (reply.kind !== 'done') return reply;
  const { rows, next } = reply.data;
  const listed = rows.flatMap((row) => accountDomainOf(row, openprovider, now));
  return { ...reply, data: { rows: listed, next: next === undefined ? undefined : String(next) } };
}

/** All transactions of a domain since a day, or since the first one. */
export async function transactionsOf(
  send: UpstreamClient,
  name: string,
  from?: string,
): Promise<Reply<readonly Fields[]>> {
  const query = { filter_for_subject: name, ...(from === undefined ? {} : { start_creation_date: from }) };
  const found: Fields[] = [];
  let offset: number | undefined = 0;
  for (let page = 1; page <= pages && offset !== undefined; page += 1) {
    const read: Awaited<ReturnType<typeof pageOf>> = await pageOf(send, '/transactions', query, offset, name);
    if (read.kind !== 'done') return read;
    found.push(...read.data.rows.filter((row) => isAbout(row, name)));
    offset = read.data.next;
  }
  return offset === undefined
    ? { kind: 'done', data: found, pending: false, evidence: {} }
    : { kind: 'unsent', why: `${name} has too many transactions to read` };
}

/** The filter may find longer names too. */
const isAbout = (row: Fields, name: string): boolean => textOf(row.subject)?.toLowerCase() === name;

/** In the currency of the account, without tax. Negative: a refund. */
export function amountOf(row: Fields): { readonly value: number; readonly currency: string | undefined } | undefined {
  const total = objectOf(objectOf(row.total)?.reseller);
  const gross = Number(textOf(total?.price) ?? Number.NaN);
  const net = gross / (1 + Number(textOf(row.vat) ?? 0) / 100);
  const value = Math.round(net * 100) / 100;
  return Number.isFinite(value) && value !== 0 ? { value, currency: textOf(total?.currency) } : undefined;
}

/** The command of a charge that the profile does not name. */
const unknownCommand = 'unknown';

function linesOf(row: Fields, { currency, openprovider }: UpstreamProfile): StatementLine[] {
  const amount = amountOf(row);
  const at = localTimeOf(row.creation_date, openprovider.timeZone);
  if (!amount || !at) return [];
  const command = openprovider.actions[textOf(row.action) ?? ''] ?? unknownCommand;
  const fee = { amount: decimal(Math.abs(amount.value)), currency: amount.currency ?? currency };
  return [{ at, kind: amount.value > 0 ? 'charge' : 'refund', command, fee }];
}

export async function statementPage(
  send: UpstreamClient,
  profile: UpstreamProfile,
  cursor = '0',
  name?: string,
): Promise<Reply<Page<StatementEntry>>> {
  const query: Query = name === undefined ? {} : { filter_for_subject: name };
  const reply = await pageOf(send, '/transactions', query, Number(cursor));
  if (reply.kind !== 'done') return reply;
  const rows: StatementEntry[] = [];
  for (const row of reply.data.rows) {
    const subject = textOf(row.subject)?.toLowerCase();
    if (subject === undefined || (name !== undefined && subject !== name)) continue;
    const lines = linesOf(row, profile);
    if (name !== undefined && lines.some(({ command }) => command === unknownCommand))
      return { kind: 'unsent', why: `the action of a charge for ${name} is not known: ${textOf(row.action) ?? ''}` };
    rows.push({ name: subject, lines });
  }
  const { next } = reply.data;
  return { ...reply, data: { rows, next: next === undefined ? undefined : String(next) } };
}

/** The transactions have every refund of the account. */
export async function refundsOf(
  send: UpstreamClient,
  name: string,
  profile: UpstreamProfile,
): Promise<Reply<ReportedRefunds>> {
  const read = await transactionsOf(send, name);
  if (read.kind !== 'done') return read;
  const refunds = read.data.flatMap((row) => linesOf(row, profile)).filter(({ kind }) => kind === 'refund');
  const lines = refunds.map(({ command, fee }) => ({ command: command === unknownCommand ? null : command, fee }));
  return { ...read, data: { lines, isWhole: true } };
}
