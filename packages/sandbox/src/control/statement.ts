import type { Reader } from '@namehold/postgres';
import { fundsOf } from '../money/money.sql.ts';
import { decimal } from '../money/price.ts';
import { registryTenant } from '../registry/registry.ts';
import { sandboxCurrency } from '../tlds/index.ts';
import { type ControlCall, ControlError, limitOf } from './control.ts';
import { type LineRow, linesOf, statementLines, totalsByKind } from './statement.sql.ts';

const defaultLimit = 1_000;
const maxLimit = 100_000;

/** `?client=namehold&domain=&after=<id>&limit=`: every charge and refund, oldest first, to the cent. */
export const showStatement: ControlCall = async ({ registry }, { query }) => {
  const client = query.get('client') ?? '';
  const db = registry.db.as(registryTenant);
  const account = await fundsOf(db, client);
  if (account === undefined) throw new ControlError(404, `no account "${client}": ?client= names one`);
  const limit = limitOf(query, defaultLimit, maxLimit);
  const given = query.get('after') ?? '';
  const after = /^\d{1,18}$/.test(given) ? given : '0';
  const lines = await statementLines(db, { client, domain: query.get('domain'), after, limit });
  return {
    client_id: client,
    currency: sandboxCurrency,
    balance: decimal(BigInt(account.balance)),
    credit_limit: decimal(BigInt(account.credit_limit)),
    ...(await totals(db, client)),
    entries: lines.map(lineShown),
  };
};

const lineShown = (line: LineRow) => ({
  ...line,
  at: line.at.toISOString(),
  amount: decimal(BigInt(line.amount)),
  balance_after: decimal(BigInt(line.balance_after)),
});

async function totals(db: Reader, client: string) {
  const rows = await totalsByKind(db, client);
  const total = (kind: string) => decimal(BigInt(rows.find((row) => row.kind === kind)?.total ?? 0));
  return { charged: total('charge'), refunded: total('refund'), deposited: total('deposit') };
}

export async function linesOfDomain(db: Reader, domain: string) {
  const lines = await linesOf(db, domain);
  return lines.map(lineShown);
}
