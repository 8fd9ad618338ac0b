import type { Reply, StatementLine } from '../../../../core/ports/registry.ts';
import type { Charged, Listed, Page, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { statusesOf } from '../../statuses.ts';
import { epochOf, flagsOf, listedStatusOf } from './detail.ts';
import { amountOf, isAbout, pageOf } from './orders.ts';

const after = (number: number, isLast: boolean): string | undefined => (isLast ? undefined : String(number + 1));

/** The cursor is the number of the page. */
export async function listPage(
  send: UpstreamClient,
  { customerId }: UpstreamProfile,
  cursor = '1',
): Promise<Reply<Page<Listed>>> {
  const query = { 'customer-id': customerId, 'order-by': 'orderid' };
  const reply = await pageOf(send, 'domains/search', query, Number(cursor));
  if (reply.kind !== 'done') return reply;
  const { rows, isLast } = reply.data;
  return { ...reply, data: { rows: rows.flatMap(listedOf), next: after(Number(cursor), isLast) } };
}

function listedOf(row: Fields): Listed[] {
  const id = textOf(row['orders.orderid']) ?? textOf(row['entity.entityid']);
  const name = textOf(row['entity.description'])?.toLowerCase();
  if (id === undefined || name === undefined) return [];
  const status = listedStatusOf(row);
  const flags = { ...flagsOf(row), status, registryStatuses: [], confirmation: undefined, underway: undefined };
  const isOurs = status !== 'gone' && status !== 'pending';
  return [{ id, name, isOurs, expiresAt: epochOf(row['orders.endtime']), statuses: statusesOf(flags) }];
}

export async function statementPage(
  send: UpstreamClient,
  profile: UpstreamProfile,
  cursor = '1',
  name?: string,
): Promise<Reply<Page<Charged>>> {
  const query: Record<string, string> = name === undefined ? {} : { 'transaction-description': name };
  const reply = await pageOf(send, 'billing/reseller-transactions/search', query, Number(cursor));
  if (reply.kind !== 'done') return reply;
  const rows: Charged[] = [];
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

const descriptionOf = (row: Fields): string => textOf(row['reseller_transaction.description']) ?? '';

/** No description that the profile knows. */
const unknownCommand = 'unknown';

/** Without tax. The command of a refund is that of its charge, which only the description names. */
function linesOf(row: Fields, { currency, logicboxes }: UpstreamProfile): StatementLine[] {
  const amount = amountOf(row);
  const at = epochOf(row['reseller_transaction.transactiondate']);
  if (amount === undefined || !at) return [];
  const tax = Number(textOf(row['reseller_transaction.sellingtaxamount']) ?? 0);
  const description = descriptionOf(row).toLowerCase();
  const known = Object.entries(logicboxes.descriptions).find(([, word]) => description.includes(word.toLowerCase()));
  const kind = amount > 0 ? 'charge' : 'refund';
  const command = known?.[0] ?? (kind === 'refund' ? 'create' : unknownCommand);
  const net = Math.abs(amount) - (Number.isFinite(tax) ? Math.abs(tax) : 0);
  const billedIn = textOf(row['reseller_transaction.sellingcurrencysymbol']) ?? currency;
  return [{ at, kind, command, fee: { amount: decimal(net), currency: billedIn } }];
}
