import type { Holding, Registry, Reply, StatementLine } from '../../core/ports/registry.ts';
import { type Detail, readDetail } from './detail.ts';
import { type Fields, objectOf, objectsOf, textOf, timeOf } from './fields.ts';
import { decimal } from './orders.ts';
import { statusesOf } from './queries.ts';
import { fetchDetail, type Upstream } from './upstream.ts';

const pageSize = 100;
/** Limit of 100,000 domains or transactions. */
const pages = 1_000;
/** Without a status filter: existing domains. */
const listedStatuses = [undefined, 'Deleted', 'Cancelled', 'Transferred Away'];
const money = /^(completed|refunded)$/;

/** The list of our domains at an upstream with their charges, which are read from its transactions. */
export function holdings(u: Upstream): Pick<Registry, 'holdings'> {
  /** The latest complete read, so that all pages of one comparison are from the same time. */
  let snapshot: readonly Holding[] = [];
  return {
    async holdings(wanted) {
      if ('name' in wanted) return one(u, wanted.name);
      if (wanted.after === '') {
        const read = await readAll(u);
        if (read.kind !== 'done') return read;
        snapshot = read.data;
      }
      const data = snapshot.filter(({ name }) => name > wanted.after).slice(0, wanted.limit);
      return { kind: 'done', data, pending: false, evidence: {} };
    },
  };
}

async function list(u: Upstream, path: string, query: Record<string, string>): Promise<Reply<Fields[]>> {
  const rows: Fields[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const reply = await u.account.fetchReply(path, { ...query, limit: String(pageSize), page_no: String(page) });
    if (reply.kind !== 'done') return reply;
    const shown = objectsOf(reply.data);
    rows.push(...shown);
    if (shown.length < pageSize) return { kind: 'done', data: rows, pending: false, evidence: {} };
  }
  return { kind: 'unsent', why: `${path} has more than ${pages * pageSize} rows` };
}

async function readAll(u: Upstream): Promise<Reply<readonly Holding[]>> {
  const details: Detail[] = [];
  for (const status of listedStatuses) {
    const query = { customer_id: u.profile.customerId, ...(status === undefined ? {} : { status }) };
    const reply = await list(u, '/domains', query);
    if (reply.kind !== 'done') return reply;
    details.push(...reply.data.flatMap((row) => readDetail(row, u.profile.utcOffset) ?? []));
  }
  const postings = await list(u, '/account/transactions', { transaction_type: 'domain' });
  if (postings.kind !== 'done') return postings;
  const data = merge(u, details, postings.data);
  return { kind: 'done', data, pending: false, evidence: {} };
}

async function one(u: Upstream, name: string): Promise<Reply<readonly Holding[]>> {
  const fetched = await fetchDetail(u, name);
  if (fetched.kind !== 'done') return fetched;
  const details = fetched.data ? [fetched.data] : [];
  const query = { transaction_type: 'domain', description: name };
  const postings = await list(u, '/account/transactions', query);
  if (postings.kind !== 'done') return postings;
  // A domain may have been ours before under another id, so the domain name in the description of a transaction counts.
  const named = new Set(postings.data.filter((row) => words(row).includes(name)).map((row) => textOf(row.domain_id)));
  const former = [...named].flatMap((id) => (id === undefined || id === details[0]?.id ? [] : [{ id, name }]));
  const holdings = merge(u, details, postings.data, former);
  return { ...fetched, data: holdings };
}

const words = (row: Fields): string[] => (textOf(row.description) ?? '').toLowerCase().split(/[^a-z0-9.-]+/);

/** In byte order, one row for each domain: the present one if there is one, with the charges of all. */
function merge(
  u: Upstream,
  details: readonly Detail[],
  postings: readonly Fields[],
  former: readonly { readonly id: string; readonly name: string }[] = [],
): Holding[] {
  const nameOf = new Map([...details, ...former].map(({ id, name }) => [id, name]));
  const lines = new Map<string, StatementLine[]>();
  for (const row of postings) {
    const name = nameOf.get(textOf(row.domain_id) ?? '');
    if (name !== undefined) lines.set(name, [...(lines.get(name) ?? []), ...linesOf(u, row)]);
  }
  const present = new Map<string, Detail>();
  for (const detail of details) if (!isPresent(present.get(detail.name))) present.set(detail.name, detail);
  return [...new Set(nameOf.values())]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => {
      const detail = present.get(name);
      const isOurs = isPresent(detail);
      return {
        name,
        isOurs,
        expiresAt: isOurs ? (detail?.expiresAt ?? null) : null,
        statuses: detail && isOurs ? statusesOf(detail) : [],
        lines: lines.get(name) ?? [],
      };
    });
}

/** An unsettled order has no domain yet. */
const isPresent = (detail: Detail | undefined): boolean =>
  detail !== undefined && !['gone', 'left', 'pending', 'coming'].includes(detail.status);

function linesOf(u: Upstream, row: Fields): StatementLine[] {
  const currency = textOf(row.currency) ?? u.profile.currency;
  const at = timeOf(row.settled_at ?? row.created_at ?? row.date, u.profile.utcOffset) ?? new Date(0);
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
