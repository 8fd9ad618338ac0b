import type { Reply } from '../../core/ports/registry.ts';
import { type Fields, objectsOf, textOf, timeOf } from './fields.ts';
import type { Upstream } from './upstream.ts';

const limits = { pageSize: 100, pages: 20 };
/** A refund, or a charge that was cancelled. */
const voidStates = /^(cancelled|refunded|failed|rejected|expired)$/i;

export const isVoid = (row: Fields): boolean => voidStates.test(textOf(row.status) ?? '');

/** False if its date cannot be parsed. */
export function isBefore(u: Upstream, row: Fields, since: Date): boolean {
  const at = timeOf(row.created_at ?? row.date ?? row.transaction_date ?? row.creation_time, u.profile.utcOffset);
  return at !== null && at < since;
}

/** Transactions with this domain name in their description, because the contract has no other filter. */
export async function postingsOf(u: Upstream, name: string, query: Record<string, string>): Promise<Reply<Fields[]>> {
  const named = new RegExp(`(^|[^a-z0-9.-])${name.replaceAll('.', '\\.')}($|[^a-z0-9-])`, 'i');
  const found: Fields[] = [];
  for (let page = 1; page <= limits.pages; page += 1) {
    const range = { limit: String(limits.pageSize), page_no: String(page) };
    const reply = await u.account.fetchReply('/account/transactions', { ...query, ...range });
    if (reply.kind !== 'done') return reply;
    const rows = objectsOf(reply.data);
    found.push(...rows.filter((row) => named.test(textOf(row.description) ?? '')));
    if (rows.length < limits.pageSize) return { kind: 'done', data: found, pending: false, evidence: {} };
  }
  return { kind: 'unsent', why: `too many transactions for ${name} to read` };
}
