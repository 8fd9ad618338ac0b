import { dayMs } from '@namehold/base';
import type { FoundOrder, Reply, ReportedRefunds } from '../../../../core/ports/registry.ts';
import type { OrderSearch, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';

const limits = { pageSize: 100, pages: 20 };
/** A refund, or a charge that was cancelled. */
const voidStates = /^(cancelled|refunded|failed|rejected|expired)$/i;

const openStates = /^pending$/i;

/** The contract has no list of orders; its transactions show what was charged. */
export const ordersByPostings = (utcOffset: string): OrderSearch => ({
  // The transactions show a charge at once, and a renewal contains the present date.
  visibleAfterMs: 0,
  renewGuard: 'date',
  async find(send, name, since) {
    // A day earlier, because clock and time zone may differ.
    const from = new Date(since.getTime() - dayMs).toISOString().slice(0, 10);
    const read = await postingsOf(send, name, { date_start: from });
    return read.kind === 'done' ? { ...read, data: read.data.map((row) => orderOf(row, utcOffset)) } : read;
  },
});

function orderOf(row: Fields, utcOffset: string): FoundOrder {
  const status = textOf(row.status) ?? '';
  return {
    id: textOf(row.transaction_id) ?? '',
    verb: null,
    at: timeOf(row.created_at ?? row.date ?? row.transaction_date ?? row.creation_time, utcOffset),
    state: voidStates.test(status) ? 'failed' : openStates.test(status) ? 'open' : 'done',
    operationId: null,
  };
}

/** Transactions with this domain name in their description, because the contract has no other filter. */
async function postingsOf(send: UpstreamClient, name: string, query: Record<string, string>): Promise<Reply<Fields[]>> {
  const named = new RegExp(`(^|[^a-z0-9.-])${name.replaceAll('.', '\\.')}($|[^a-z0-9-])`, 'i');
  const found: Fields[] = [];
  for (let page = 1; page <= limits.pages; page += 1) {
    const range = { limit: String(limits.pageSize), page_no: String(page) };
    const { reply } = await send({ method: 'GET', path: '/account/transactions', query: { ...query, ...range } });
    if (reply.kind !== 'done') return reply;
    const rows = objectsOf(reply.data);
    found.push(...rows.filter((row) => named.test(textOf(row.description) ?? '')));
    if (rows.length < limits.pageSize) return { kind: 'done', data: found, pending: false, evidence: {} };
  }
  return { kind: 'unsent', why: `too many transactions for ${name} to read` };
}

/** Refunds are read from the transactions when the domain appears as deleted. */
export async function refundsOf(
  send: UpstreamClient,
  name: string,
  currency: string,
  isWhole: boolean,
): Promise<Reply<ReportedRefunds>> {
  const read = await postingsOf(send, name, { transaction_type: 'domain', description: name });
  if (read.kind !== 'done') return read;
  return { ...read, data: { lines: read.data.flatMap((row) => refundLine(row, currency)), isWhole } };
}

function refundLine(row: Fields, currency: string) {
  const amount = backOf(row);
  if (!Number.isFinite(amount) || amount <= 0) return [];
  const fee = { amount: decimal(amount), currency: textOf(row.currency) ?? currency };
  return [{ command: textOf(row.action) ?? null, fee }];
}

/** Our own API returns the amount; the contract reports only that it was refunded in full. */
function backOf(row: Fields): number {
  const refunded = objectOf(row.refunded);
  if (refunded) return Number(refunded.amount);
  return /^refunded$/i.test(textOf(row.status) ?? '') ? Math.abs(Number(row.amount)) : 0;
}
