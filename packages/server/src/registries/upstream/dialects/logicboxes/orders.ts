import { dayMs } from '@namehold/base';
import type { FoundOrder, Reply } from '../../../../core/ports/registry.ts';
import type { OrderSearch, UpstreamAnswer, UpstreamClient } from '../../dialect.ts';
import { type Fields, objectOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { type Form, question } from './calls.ts';
import { actionVerbs, epochOf, isFailed, statusOfRow } from './detail.ts';

const limits = { pageSize: 500, pages: 20 };
/** A charge and its action are written within this time. */
const sameOrderMs = 600_000;

const done = <T>(data: T) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;

/** An empty list is an error at some installations. */
const isEmpty = ({ refusal }: UpstreamAnswer): boolean => /no records? found/i.test(refusal?.message ?? '');

/** The records of one page: numbered, beside two counts. */
function recordsOf(body: unknown): { readonly rows: readonly Fields[]; readonly isWhole: boolean } {
  const fields = objectOf(body);
  const rows = Object.entries(fields ?? {}).flatMap(([key, value]) => {
    const row = /^\d+$/.test(key) ? objectOf(value) : undefined;
    return row ? [row] : [];
  });
  return { rows, isWhole: textOf(fields?.recsindb) !== undefined };
}

export async function pageOf(
  send: UpstreamClient,
  call: string,
  query: Form,
  number: number,
): Promise<Reply<{ readonly rows: readonly Fields[]; readonly isLast: boolean }>> {
  const range = { 'no-of-records': String(limits.pageSize), 'page-no': String(number) };
  const answer = await send(question(call, { ...query, ...range }));
  if (isEmpty(answer)) return done({ rows: [], isLast: true });
  if (answer.reply.kind !== 'done') return answer.reply;
  const { rows, isWhole } = recordsOf(answer.reply.data);
  if (!isWhole) return { kind: 'unsent', why: `the list ${call} cannot be read` };
  const total = Number(objectOf(answer.reply.data)?.recsindb);
  return done({ rows, isLast: !Number.isFinite(total) || number * limits.pageSize >= total });
}

export async function allOf(send: UpstreamClient, call: string, query: Form): Promise<Reply<readonly Fields[]>> {
  const found: Fields[] = [];
  for (let number = 1; number <= limits.pages; number += 1) {
    const read = await pageOf(send, call, query, number);
    if (read.kind !== 'done') return read;
    found.push(...read.data.rows);
    if (read.data.isLast) return done(found);
  }
  return { kind: 'unsent', why: `the list ${call} has too many pages to read` };
}

/** Orders of domains, their actions, and the transactions of the account. Each shows what the others may lack after a lost answer. */
export const orderSearch = ({ logicboxes }: UpstreamProfile): OrderSearch => ({
  visibleAfterMs: logicboxes.visibleAfterSeconds * 1_000,
  // The present end is in each renewal, but the documents do not say that an outdated one is refused.
  renewGuard: 'none',
  async find(send, name, since) {
    // A day earlier, because clocks may differ.
    const from = new Date(since.getTime() - dayMs);
    const rows = await ordersOf(send, name);
    if (rows.kind !== 'done') return rows;
    const actions = await actionsOf(send, [...rows.data.keys()]);
    if (actions.kind !== 'done') return actions;
    const charges = await chargesOf(send, name, from);
    if (charges.kind !== 'done') return charges;
    return done(foundOrders(rows.data, actions.data, charges.data, from));
  },
});

/** By id; undefined if only the id is known. */
async function ordersOf(send: UpstreamClient, name: string): Promise<Reply<Map<string, Fields | undefined>>> {
  const listed = await allOf(send, 'domains/search', { 'domain-name': name });
  if (listed.kind !== 'done') return listed;
  const own = listed.data.filter((row) => textOf(row['entity.description'])?.toLowerCase() === name);
  const found = new Map<string, Fields | undefined>();
  for (const row of own) {
    const id = textOf(row['orders.orderid']) ?? textOf(row['entity.entityid']);
    if (id === undefined) return { kind: 'unsent', why: `an order of ${name} in the list has no id` };
    found.set(id, row);
  }
  const { reply } = await send(question('domains/orderid', { 'domain-name': name }));
  const id = reply.kind === 'done' ? textOf(reply.data) : undefined;
  if (reply.kind === 'unsent' || reply.kind === 'unknown') return reply;
  if (id !== undefined && !found.has(id)) found.set(id, undefined);
  return done(found);
}

interface Action {
  readonly id: string;
  readonly orderId: string;
  readonly type: string;
  readonly at: Date | null;
  readonly state: FoundOrder['state'];
}

async function actionsOf(send: UpstreamClient, orderIds: readonly string[]): Promise<Reply<readonly Action[]>> {
  const found: Action[] = [];
  if (orderIds.length === 0) return done(found);
  for (const [call, ended] of [
    ['actions/search-current', 'open'],
    ['actions/search-archived', 'done'],
  ] as const) {
    const read = await allOf(send, call, { 'order-id': orderIds });
    if (read.kind !== 'done') return read;
    for (const row of read.data)
      found.push({
        id: textOf(row.eaqid) ?? '',
        orderId: textOf(row.entityid) ?? '',
        type: textOf(row.actiontype) ?? '',
        at: epochOf(row.actionadded) ?? epochOf(row.actionstarted),
        state: isFailed(textOf(row.actionstatus)) ? 'failed' : ended,
      });
  }
  return done(found);
}

interface Charge {
  readonly id: string;
  readonly orderId: string | undefined;
  readonly at: Date | null;
}

/** The words of a description, because it may name a longer domain too. */
export const isAbout = (row: Fields, name: string): boolean =>
  (textOf(row['reseller_transaction.description']) ?? '')
    .toLowerCase()
    .split(/[^a-z0-9.-]+/)
    .some((word) => word.replace(/\.$/, '') === name);

/** Positive: a charge. A credit is a refund, with either sign. */
export function amountOf(row: Fields): number | undefined {
  const type = textOf(row['reseller_transaction.type'])?.toLowerCase() ?? '';
  const amount = Number(textOf(row['reseller_transaction.sellingamount']));
  if (/receipt|payment/.test(type) || !Number.isFinite(amount) || amount === 0) return undefined;
  return /credit|refund/.test(type) ? -Math.abs(amount) : amount;
}

/** Charges that were not refunded. */
async function chargesOf(send: UpstreamClient, name: string, from: Date): Promise<Reply<readonly Charge[]>> {
  const read = await allOf(send, 'billing/reseller-transactions/search', {
    'transaction-description': name,
    'transaction-date-start': String(Math.floor(from.getTime() / 1_000)),
  });
  if (read.kind !== 'done') return read;
  const standing: (Charge & { readonly amount: number })[] = [];
  for (const row of read.data) {
    const amount = amountOf(row);
    if (amount === undefined || !isAbout(row, name)) continue;
    const orderId = textOf(row['reseller_transaction.orderid']);
    const at = epochOf(row['reseller_transaction.transactiondate']);
    const refunded = standing.findIndex((each) => each.orderId === orderId && each.amount === -amount);
    if (amount > 0) standing.push({ id: textOf(row['reseller_transaction.transid']) ?? '', orderId, at, amount });
    else if (refunded >= 0) standing.splice(refunded, 1);
  }
  return done(standing);
}

function foundOrders(
  rows: ReadonlyMap<string, Fields | undefined>,
  actions: readonly Action[],
  charges: readonly Charge[],
  from: Date,
): FoundOrder[] {
  const isNew = ({ at }: { readonly at: Date | null }) => at === null || at >= from;
  const paid = actions.filter((action) => actionVerbs[action.type] !== undefined && isNew(action));
  const isDeleted = (orderId: string) => {
    const row = rows.get(orderId);
    return row !== undefined && statusOfRow(row) === 'absent';
  };
  const byAction = paid.map(
    (action): FoundOrder => ({
      id: action.id,
      verb: actionVerbs[action.type]!,
      at: action.at,
      // What was deleted since does not stand for a new order. Its charge does, unless it was refunded.
      state: isDeleted(action.orderId) && action.state === 'done' ? 'failed' : action.state,
      operationId: null,
    }),
  );
  const byRow = [...rows].flatMap(([id, row]): FoundOrder[] => {
    if (actions.some(({ orderId }) => orderId === id)) return [];
    const at = row ? (epochOf(row['orders.creationdt']) ?? epochOf(row['orders.creationtime'])) : null;
    const status = row ? statusOfRow(row) : 'pending';
    const state = status === 'pending' ? 'open' : status === 'absent' ? 'failed' : 'done';
    return isNew({ at }) ? [{ id, verb: null, at, state, operationId: null }] : [];
  });
  return [...byAction, ...byRow, ...unexplained(charges, paid)];
}

/** Charges that no action explains. An action explains one charge. */
function unexplained(charges: readonly Charge[], actions: readonly Action[]): FoundOrder[] {
  const left = actions.filter(({ state }) => state !== 'failed');
  return charges.flatMap(({ id, orderId, at }): FoundOrder[] => {
    const near = left.findIndex(
      (action) =>
        (orderId === undefined || orderId === action.orderId) &&
        at !== null &&
        action.at !== null &&
        Math.abs(at.getTime() - action.at.getTime()) <= sameOrderMs,
    );
    if (near >= 0) {
      left.splice(near, 1);
      return [];
    }
    return [{ id, verb: null, at, state: 'done', operationId: null }];
  });
}
