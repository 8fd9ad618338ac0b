import { dayMs } from '@namehold/base';
import type { FoundOrder, Reply } from '../../../../core/ports/registry.ts';
import type { OrderSearch, UpstreamClient } from '../../dialect.ts';
import { type Fields, objectsOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { readComment } from './comments.ts';
import { rowsOfName } from './detail.ts';
import { question } from './message.ts';
import { amountOf, transactionsOf } from './statement.ts';
import { localDateOf, localTimeOf } from './time.ts';

type Settings = UpstreamProfile['openprovider'];

const states: Readonly<Record<string, FoundOrder['state']>> = {
  ACT: 'done',
  REQ: 'open',
  PEN: 'open',
  SCH: 'open',
  PRE: 'open',
  RRQ: 'done',
  FAI: 'failed',
};

/** An order and its charge are written within this time, unless the order waits at the registry. */
const sameOrderMs = 600_000;

const verbs = { create: 'register', renew: 'renew', transfer: 'transfer', restore: 'restore' } as const;

/** Rows of the domain, of which one has our operation id, and the transactions of the account. A renewal is shown by both dates and charges. */
export const orderSearch = ({ openprovider, limits }: UpstreamProfile): OrderSearch => ({
  // Answers may be as old as identical queries are shared.
  visibleAfterMs: (openprovider.visibleAfterSeconds + (limits.identical?.shareSeconds ?? 0)) * 1_000,
  // A renewal contains no date, so a repeated one is a second year.
  renewGuard: 'none',
  async find(send, name, since) {
    // A day earlier, because clocks may differ.
    const from = new Date(since.getTime() - dayMs);
    const rows = await allRows(send, name);
    if (rows.kind !== 'done') return rows;
    const found: FoundOrder[] = [];
    for (const row of rows.data) {
      const read = orderOf(row, openprovider);
      if (typeof read === 'string') return { kind: 'unsent', why: `an order of ${name} cannot be read: ${read}` };
      found.push(...read, ...recordedCalls(row, from, openprovider));
    }
    const charges = await chargesOf(send, name, from, openprovider);
    return charges.kind === 'done' ? { ...charges, data: [...found, ...unexplained(charges.data, found)] } : charges;
  },
});

/** With the calls that Openprovider recorded for each row. Deleted ones too, which the list may leave out. */
async function allRows(send: UpstreamClient, name: string): Promise<Reply<readonly Fields[]>> {
  const found = new Map<string | undefined, Fields>();
  const scopes: readonly Readonly<Record<string, string>>[] = [{ is_deleted: 'true' }, {}];
  for (const which of scopes) {
    const query = { full_name: name, with_api_history: 'true', limit: '100', ...which };
    const rows = await rowsOfName(send, question('/domains', query, name), name);
    if (rows.kind !== 'done') return rows;
    for (const row of rows.data) found.set(textOf(row.id), row);
  }
  return { kind: 'done', data: [...found.values()], pending: false, evidence: {} };
}

const recordedVerbs: readonly (readonly [RegExp, 'renew' | 'restore'])[] = [
  [/renew/i, 'renew'],
  [/restore/i, 'restore'],
];
const recordedCode = /\bcode\W{1,6}(\d+)/i;

/** Renewals and restores that arrived, because nothing else shows one that has no effect yet. */
function recordedCalls(row: Fields, from: Date, { timeZone }: Settings): FoundOrder[] {
  return objectsOf(row.api_history).flatMap(({ cmd, created_at, out }): FoundOrder[] => {
    const verb = recordedVerbs.find(([pattern]) => pattern.test(textOf(cmd) ?? ''))?.[1];
    const at = localTimeOf(created_at, timeZone);
    if (verb === undefined || !at || at < from) return [];
    const code = recordedCode.exec(textOf(out) ?? JSON.stringify(out) ?? '')?.[1];
    const state = code === undefined || code === '0' ? 'done' : 'failed';
    return [{ id: `call of ${textOf(created_at) ?? ''}`, verb, at, state, operationId: null }];
  });
}

/** The registration or transfer of a row, and its restore. Or what is missing. */
function orderOf(row: Fields, { timeZone }: Settings): FoundOrder[] | string {
  const id = textOf(row.id);
  const comment = readComment(textOf(row.comments));
  // A deleted domain without our id is from before, and does not stand for a new order. Its charge does.
  const deleted = comment.operationId === null ? 'failed' : 'done';
  const state = textOf(row.status) === 'DEL' ? deleted : states[textOf(row.status) ?? ''];
  if (id === undefined) return 'it has no id';
  if (state === undefined) return `its status is ${textOf(row.status) ?? 'missing'}`;
  const at = localTimeOf(row.order_date, timeZone) ?? localTimeOf(row.creation_date, timeZone);
  const placed: FoundOrder = { id, at, state, ...comment };
  if (textOf(row.status) !== 'RRQ') return [placed];
  return [placed, { id: `${id} restore`, verb: 'restore', at: null, state: 'open', operationId: null }];
}

/** Charges that were not refunded. They have no id of ours. */
async function chargesOf(
  send: UpstreamClient,
  name: string,
  from: Date,
  settings: Settings,
): Promise<Reply<readonly FoundOrder[]>> {
  const read = await transactionsOf(send, name, localDateOf(from, settings.timeZone));
  if (read.kind !== 'done') return read;
  const standing: (FoundOrder & { readonly amount: number; readonly action: string })[] = [];
  for (const row of read.data) {
    const amount = amountOf(row)?.value ?? 0;
    const action = textOf(row.action) ?? '';
    const refunded = standing.findIndex((each) => each.action === action && each.amount === -amount);
    if (amount < 0 && refunded >= 0) standing.splice(refunded, 1);
    const at = localTimeOf(row.creation_date, settings.timeZone);
    const command = settings.actions[action];
    const verb = command === undefined ? null : verbs[command];
    const id = `transaction ${textOf(row.reference_id) ?? textOf(row.creation_date) ?? ''}`;
    if (amount > 0) standing.push({ id, verb, at, state: 'done', operationId: null, amount, action });
  }
  return { ...read, data: standing.map(({ amount: _, action: _1, ...order }) => order) };
}

/** Charges that no row explains. A row explains one registration or transfer. */
function unexplained(charges: readonly FoundOrder[], rows: readonly FoundOrder[]): FoundOrder[] {
  const left = rows.filter(
    ({ state, verb, at }) => verb !== 'restore' && verb !== 'renew' && at !== null && state !== 'failed',
  );
  return charges.filter((charge) => {
    const near = left.findIndex(
      ({ verb, at }) =>
        (charge.verb === 'register' || charge.verb === 'transfer') &&
        (verb === null || verb === charge.verb) &&
        charge.at !== null &&
        Math.abs(charge.at.getTime() - at!.getTime()) <= sameOrderMs,
    );
    if (near >= 0) left.splice(near, 1);
    return near < 0;
  });
}
