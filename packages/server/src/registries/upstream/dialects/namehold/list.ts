import type { Reply, StatementLine } from '../../../../core/ports/registry.ts';
import type { AccountDomain, Detail, Page, StatementEntry, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { statusesOf } from '../../statuses.ts';
import type { Call } from '../../wire.ts';
import { readDetail } from '../contract/detail.ts';

const pageSize = 100;
/** Without a status filter: existing domains. */
const listedStatuses = [undefined, 'Deleted', 'Cancelled', 'Transferred Away'];
const money = /^(completed|refunded)$/;

/** The cursor is the place of the status and the page. */
export async function listPage(
  send: UpstreamClient,
  { customerId, utcOffset }: UpstreamProfile,
  cursor = '0:1',
): Promise<Reply<Page<AccountDomain>>> {
  const [place = 0, page = 1] = cursor.split(':').map(Number);
  const status = listedStatuses[place];
  const query = { customer_id: customerId, ...(status === undefined ? {} : { status }) };
  const reply = await rowsOf(send, '/domains', query, page);
  if (reply.kind !== 'done') return reply;
  const rows = reply.data.flatMap((row) => {
    const detail = readDetail(row, utcOffset);
    return detail ? [accountDomainOf(detail)] : [];
  });
  const isLast = reply.data.length < pageSize;
  const next = !isLast ? `${place}:${page + 1}` : place + 1 < listedStatuses.length ? `${place + 1}:1` : undefined;
  return { ...reply, data: { rows, next } };
}

/** An unsettled order has no domain yet. */
function accountDomainOf(detail: Detail): AccountDomain {
  const isOurs = !['absent', 'transferred_out', 'pending', 'pending_transfer_in'].includes(detail.status);
  const { id, name, expiresAt } = detail;
  return { id, name, isOurs, expiresAt, statuses: statusesOf(detail) };
}

export async function statementPage(
  send: UpstreamClient,
  { currency, utcOffset }: UpstreamProfile,
  cursor = '1',
  name?: string,
): Promise<Reply<Page<StatementEntry>>> {
  const query = { transaction_type: 'domain', ...(name === undefined ? {} : { description: name }) };
  const reply = await rowsOf(send, '/account/transactions', query, Number(cursor));
  if (reply.kind !== 'done') return reply;
  const rows = reply.data.map((row) => ({
    domainId: textOf(row.domain_id),
    // A domain may have been ours before under another id, so the domain name in the description of a transaction counts.
    ...(name !== undefined && words(row).includes(name) ? { name } : {}),
    lines: linesOf(row, currency, utcOffset),
  }));
  const next = reply.data.length < pageSize ? undefined : String(Number(cursor) + 1);
  return { ...reply, data: { rows, next } };
}

const words = (row: Fields): string[] => (textOf(row.description) ?? '').toLowerCase().split(/[^a-z0-9.-]+/);

async function rowsOf(
  send: UpstreamClient,
  path: string,
  query: Record<string, string>,
  page: number,
): Promise<Reply<Fields[]>> {
  const call: Call = { method: 'GET', path, query: { ...query, limit: String(pageSize), page_no: String(page) } };
  const { reply } = await send(call);
  return reply.kind === 'done' ? { ...reply, data: objectsOf(reply.data) } : reply;
}

function linesOf(row: Fields, ownCurrency: string, utcOffset: string): StatementLine[] {
  const currency = textOf(row.currency) ?? ownCurrency;
  const at = timeOf(row.settled_at ?? row.created_at ?? row.date, utcOffset) ?? new Date(0);
  const amount = Number(row.amount);
  if (!money.test(textOf(row.status) ?? '') || !Number.isFinite(amount) || textOf(row.direction) === 'credit')
    return [];
  const command = textOf(row.action) ?? 'create';
  const back = textOf(objectOf(row.refunded)?.amount);
  return [
    { at, kind: 'charge', command, fee: { amount: decimal(amount), currency } },
    ...(back === undefined ? [] : [{ at, kind: 'refund' as const, command, fee: { amount: back, currency } }]),
  ];
}
