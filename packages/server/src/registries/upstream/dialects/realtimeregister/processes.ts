import { dayMs } from '@namehold/base';
import type { Evidence, FoundOrder, RegistryFee, Reply, ReportedRefunds } from '../../../../core/ports/registry.ts';
import type { FollowedOperation, OrderSearch, Outcome, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { refusalOf } from './classify.ts';
import { question } from './message.ts';

/** The largest page. */
const pageSize = 1_000;
const maxPages = 20;
/** Most processes end within seconds. After so many reads an order counts as accepted. */
const readsOfProcess = 10;

const done = <T>(data: T) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;

type Query = Readonly<Record<string, string>>;

/** One page of a list. All lists have the same form. */
export async function pageOf(
  send: UpstreamClient,
  path: string,
  query: Query,
  offset = 0,
): Promise<Reply<{ readonly rows: readonly Fields[]; readonly next: number | undefined }>> {
  const range = { limit: String(pageSize), offset: String(offset) };
  const { reply } = await send(question(path, { ...query, ...range }));
  if (reply.kind !== 'done') return reply;
  const body = objectOf(reply.data);
  if (!Array.isArray(body?.entities)) return { kind: 'unsent', why: `the list ${path} cannot be read` };
  const rows = objectsOf(body.entities);
  const total = Number(textOf(objectOf(body.pagination)?.total) ?? Number.NaN);
  const after = offset + rows.length;
  const isLast = rows.length === 0 || (Number.isFinite(total) ? after >= total : rows.length < pageSize);
  return done({ rows, next: isLast ? undefined : after });
}

async function allOf(send: UpstreamClient, path: string, query: Query): Promise<Reply<readonly Fields[]>> {
  const found: Fields[] = [];
  let offset: number | undefined = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const read = await pageOf(send, path, query, offset);
    if (read.kind !== 'done') return read;
    found.push(...read.data.rows);
    offset = read.data.next;
    if (offset === undefined) return done(found);
  }
  return { kind: 'unsent', why: `the list ${path} has too many pages to read` };
}

type ProcessState = 'open' | 'done' | 'failed';

/** `IN_DOUBT` is an unresolved error, so it stays open until the upstream resolves it. */
const ended: Readonly<Record<string, ProcessState>> = {
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'failed',
  INVALID: 'failed',
};

type Verb = NonNullable<FoundOrder['verb']>;

/** Actions of processes and billables by their text, such as `create`, `incomingInternalTransfer` and `TRANSFER`. */
const verbs: readonly (readonly [RegExp, Verb])[] = [
  [/^(create|register)/i, 'register'],
  [/^renew/i, 'renew'],
  [/^(incoming\w*)?transfer/i, 'transfer'],
  [/^restore/i, 'restore'],
];
/** Actions that buy nothing that we order. Others are of an unknown kind. */
const otherActions = /^(update|delete|outgoing|push)/i;
export const isTransferAway = (process: Process): boolean => /^outgoing/i.test(process.action);

export interface Process {
  readonly id: string;
  readonly action: string;
  readonly verb: Verb | null;
  readonly state: ProcessState;
  readonly at: Date | null;
  readonly fields: Fields;
}

export const verbOf = (action: string): Verb | null => verbs.find(([said]) => said.test(action))?.[1] ?? null;

const isDomain = (type: unknown): boolean => /^domain$/i.test(textOf(type) ?? '');

/** The processes of a domain, the earliest first. Rows of other domains are left out, in case a filter is not known there. */
export async function processesOf(
  send: UpstreamClient,
  name: string,
  { utcOffset }: UpstreamProfile,
  since?: Date,
): Promise<Reply<readonly Process[]>> {
  // A day earlier, because clocks may differ.
  const from = since && new Date(since.getTime() - dayMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const query = { type: 'domain', identifier: name, ...(from === undefined ? {} : { 'createdDate:gte': from }) };
  const read = await allOf(send, '/processes', query);
  if (read.kind !== 'done') return read;
  const found: Process[] = [];
  for (const row of read.data) {
    if (textOf(row.identifier)?.toLowerCase() !== name || !isDomain(row.type)) continue;
    const [id, action, status] = [textOf(row.id), textOf(row.action), textOf(row.status)];
    if (id === undefined || action === undefined || status === undefined)
      return { kind: 'unsent', why: `a process of ${name} cannot be read` };
    const state = ended[status.toUpperCase()] ?? 'open';
    found.push({ id, action, verb: verbOf(action), state, at: timeOf(row.createdDate, utcOffset), fields: row });
  }
  const time = ({ at }: Process) => at?.getTime() ?? 0;
  return done(found.sort((a, b) => time(a) - time(b) || Number(a.id) - Number(b.id)));
}

/** Processes keep no reference of ours, so time and action decide which one is ours. */
export const orderSearch = (profile: UpstreamProfile): OrderSearch => ({
  visibleAfterMs: profile.realtimeregister.visibleAfterSeconds * 1_000,
  // A renewal can contain the present date, but it is not documented that another one is refused.
  renewGuard: 'none',
  async find(send, name, since) {
    const processes = await processesOf(send, name, profile, since);
    if (processes.kind !== 'done') return processes;
    const charges = await transactionsOf(send, name);
    if (charges.kind !== 'done') return charges;
    const bought = processes.data.filter(({ action, verb }) => verb !== null || !otherActions.test(action));
    const known = new Set(processes.data.map(({ id }) => id));
    return done([
      ...bought.map(foundOrder),
      ...charges.data.flatMap((row) => {
        const processId = textOf(row.processId);
        return processId === undefined || known.has(processId) ? [] : [foundCharge(row, processId, profile)];
      }),
    ]);
  },
});

/** A failed process whose charge was not returned is a charge that nothing explains. */
const foundOrder = ({ id, verb, at, state, fields }: Process): FoundOrder => ({
  id,
  verb,
  at,
  state: state === 'failed' && netOf(fields) > 0 ? 'done' : state,
  operationId: null,
});

const foundCharge = (row: Fields, id: string, { utcOffset }: UpstreamProfile): FoundOrder => ({
  id,
  verb: verbOf(textOf(row.processAction) ?? ''),
  at: timeOf(row.date, utcOffset),
  state: 'done',
  operationId: null,
});

/** Cents by currency. */
const centsOf = (value: unknown): [string, number][] =>
  Object.entries(objectOf(value) ?? {}).flatMap(([currency, cents]): [string, number][] => {
    const amount = Number(textOf(cents) ?? Number.NaN);
    return Number.isFinite(amount) ? [[currency, Math.abs(amount)]] : [];
  });

const sumOf = (value: unknown): number => centsOf(value).reduce((sum, [, cents]) => sum + cents, 0);

const netOf = ({ transaction, refund }: Fields): number => sumOf(transaction) - sumOf(refund);

const feeOf = (cents: number, currency: string): RegistryFee => ({ amount: decimal(cents / 100), currency });

/** Transactions of one domain. */
async function transactionsOf(send: UpstreamClient, name: string): Promise<Reply<readonly Fields[]>> {
  const query = { processType: 'domain', processIdentifier: name };
  const read = await allOf(send, '/billing/financialtransactions', query);
  if (read.kind !== 'done') return read;
  const isAbout = (row: Fields) => isDomain(row.processType) && textOf(row.processIdentifier)?.toLowerCase() === name;
  return done(read.data.filter(isAbout));
}

const commands: Readonly<Record<Verb, string>> = {
  register: 'create',
  renew: 'renew',
  transfer: 'transfer',
  restore: 'restore',
};

/** A refund is in the process that was charged, or a negative transaction. It is not documented that all refunds are. */
export async function refundsOf(
  send: UpstreamClient,
  name: string,
  profile: UpstreamProfile,
): Promise<Reply<ReportedRefunds>> {
  const read = await processesOf(send, name, profile);
  if (read.kind !== 'done') return read;
  const lines = read.data.flatMap(({ verb, fields }) =>
    centsOf(fields.refund).map(([currency, cents]) => ({
      command: verb && commands[verb],
      fee: feeOf(cents, currency),
    })),
  );
  if (lines.length > 0) return done({ lines, isWhole: false });
  const charges = await transactionsOf(send, name);
  if (charges.kind !== 'done') return charges;
  return done({ lines: charges.data.flatMap(refundLine), isWhole: false });
}

function refundLine(row: Fields): ReportedRefunds['lines'][number][] {
  const [cents, currency] = [Number(textOf(row.amount) ?? Number.NaN), textOf(row.currency)];
  if (!(cents < 0) || currency === undefined) return [];
  const verb = verbOf(textOf(row.processAction) ?? '');
  return [{ command: verb && commands[verb], fee: feeOf(-cents, currency) }];
}

/** What a process was charged, read from the process if the answer has only its id. */
export async function chargeOf(send: UpstreamClient, body: unknown): Promise<Evidence> {
  const fields = objectOf(body);
  const id = textOf(fields?.processId);
  if (id === undefined) return {};
  const { reply } = await send(question(`/processes/${encodeURIComponent(id)}`));
  const charged = reply.kind === 'done' ? centsOf(objectOf(reply.data)?.transaction) : [];
  const [first, ...others] = charged;
  // Charges in several currencies have no sum.
  return first && others.length === 0 ? { charged: feeOf(first[1], first[0]) } : {};
}

/** Waits for a process. One that waits itself is left alone, and the domain shows its outcome later. */
export function followProcess(id: string): FollowedOperation {
  let reads = 0;
  return {
    call: question(`/processes/${encodeURIComponent(id)}`),
    read(body, accepted): Outcome | undefined {
      reads += 1;
      const process = objectOf(body);
      const status = textOf(process?.status)?.toUpperCase() ?? '';
      const known = { ...objectOf(accepted), processId: id };
      const state = ended[status];
      if (state === 'done') return { kind: 'done', body: known };
      if (state === 'failed') return failureOf(process ?? {});
      // A transfer takes days.
      const isLong = verbOf(textOf(process?.action) ?? '') === 'transfer';
      const waits = isLong || /^(IN_DOUBT|SCHEDULED|SUSPENDED)$/.test(status) || reads >= readsOfProcess;
      return waits ? { kind: 'accepted', operationId: undefined, body: known } : undefined;
    },
  };
}

function failureOf(process: Fields): Outcome {
  if (netOf(process) > 0) return { kind: 'unknown', text: 'the process failed, and its charge was not returned' };
  const error = objectOf(process.error);
  const type = textOf(error?.type) ?? 'ProcessError';
  return refusalOf(type, { ...error, message: textOf(error?.message) ?? textOf(process.statusDetail) ?? 'failed' });
}
