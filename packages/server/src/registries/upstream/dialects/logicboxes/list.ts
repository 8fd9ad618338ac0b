import type { Reply, ReportedRefunds, StatementLine } from '../../../../core/ports/registry.ts';
import type { AccountDomain, Page, StatementEntry, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { statusesOf } from '../../statuses.ts';
import { epochOf, flagsOf, statusOfRow } from './detail.ts';
import { allOf, amountOf, isAbout, pageOf } from './orders.ts';

const after = (number: number, isLast: boolean): string | undefined => (isLast ? undefined : String(number + 1));

/** The cursor is the number of the page. */
export async function listPage(
  send: UpstreamClient,
  { customerId }: UpstreamProfile,
  cursor = '1',
): Promise<Reply<Page<AccountDomain>>> {
  const query = { 'customer-id': customerId, 'order-by': 'orderid' };
  const reply = await pageOf(send, 'domains/search', query, Number(cursor));
  if (reply.kind !== 'done') return reply;
  const { rows, isLast } = reply.data;
  return { ...reply, data: { rows: rows.flatMap(accountDomainOf), next: after(Number(cursor), isLast) } };
}

function accountDomainOf(row: Fields): AccountDomain[] {
  const id = textOf(row['orders.orderid']) ?? textOf(row['entity.entityid']);
  const name = textOf(row['entity.description'])?.toLowerCase();
  if (id === undefined || name === undefined) return [];
  const status = statusOfRow(row);
  const flags = { ...flagsOf(row), status, registryStatuses: [], confirmation: undefined, underway: undefined };
  const isOurs = status !== 'absent' && status !== 'pending';
  return [{ id, name, isOurs, expiresAt: epochOf(row['orders.endtime']), statuses: statusesOf(flags) }];
}

export async function statementPage(
  send: UpstreamClient,
  profile: UpstreamProfile,
  cursor = '1',
  name?: string,
): Promise<Reply<Page<StatementEntry>>> {
  const query: Record<string, string> = name === undefined ? {} : { 'transaction-description': name };
  const reply = await pageOf(send, 'billing/reseller-transactions/search', query, Number(cursor));
  if (reply.kind !== 'done') return reply;
  const rows: StatementEntry[] = [];
  for (const row of reply.data.rows) {
    const isNamed = name !== undefined && isAbout(row, name);
    if (name !== undefined && !isNamed) continue;
    const lines = linesOf(row, profile);
    if (isNamed && lines.some(({ command }) => command === unknownCommand))
      return { kind: 'unsent', why: `the description of a charge for ${name} is not known: ${descriptionOf(row)}` };
    rows.push({ domainId: textOf(row['reseller_transaction.orderid']), ...(isNamed ? { name } : {}), lines });
  }
  return { ...reply, data: { rows, next: after(Number(cursor), reply.data.isLast) } };
}

/** The transactions have every refund of the account. */
export async function refundsOf(
  send: UpstreamClient,
  name: string,
  profile: UpstreamProfile,
): Promise<Reply<ReportedRefunds>> {
  const read = await allOf(send, 'billing/reseller-transactions/search', { 'transaction-description': name });
  if (read.kind !== 'done') return read;
  const lines = read.data
    .filter((row) => isAbout(row, name))
    .flatMap((row) => {
      const command = commandOf(row, profile) ?? null;
      return linesOf(row, profile).flatMap(({ kind, fee }) => (kind === 'refund' ? [{ command, fee }] : []));
    });
  return { ...read, data: { lines, isWhole: true } };
}

const commandOf = (row: Fields, { logicboxes }: UpstreamProfile): string | undefined => {
  const description = descriptionOf(row).toLowerCase();
  const known = Object.entries(logicboxes.descriptions).find(([, word]) => description.includes(word.toLowerCase()));
  return known?.[0];
};

const descriptionOf = (row: Fields): string => textOf(row['reseller_transaction.description']) ?? '';

/** No description that the profile knows. */
const unknownCommand = 'unknown';

/** Without tax. The command of a refund is that of its charge, which only the description names. */
function linesOf(row: Fields, profile: UpstreamProfile): StatementLine[] {
  const amount = amountOf(row);
  const at = epochOf(row['reseller_transaction.transactiondate']);
  if (amount === undefined || !at) return [];
  const tax = Number(textOf(row['reseller_transaction.sellingtaxamount']) ?? 0);
  const kind = amount > 0 ? 'charge' : 'refund';
  const command = commandOf(row, profile) ?? (kind === 'refund' ? 'create' : unknownCommand);
  const net = Math.abs(amount) - (Number.isFinite(tax) ? Math.abs(tax) : 0);
  const billedIn = textOf(row['reseller_transaction.sellingcurrencysymbol']) ?? profile.currency;
  return [{ at, kind, command, fee: { amount: decimal(net), currency: billedIn } }];
}
