import { type Reader, sql } from '@namehold/base';
import { decimal } from '../money/price.ts';
import { registryTenant } from '../registry/registry.ts';
import { sandboxCurrency } from '../tlds/index.ts';
import { type ControlCall, ControlError, limitOf } from './control.ts';

interface LineRow {
  readonly id: string;
  readonly at: Date;
  readonly kind: string;
  readonly command: string;
  readonly domain: string | null;
  readonly years: number | null;
  readonly amount: string;
  readonly balance_after: string;
  readonly cl_trid: string | null;
  readonly sv_trid: string | null;
  readonly refund_of: string | null;
}

const defaultLimit = 1_000;
const maxLimit = 100_000;

/** `?client=namehold&domain=&after=<id>&limit=`: every charge and refund, oldest first, to the cent. */
export const showStatement: ControlCall = async ({ registry }, { query }) => {
  const client = query.get('client') ?? '';
  const db = registry.db.as(registryTenant);
  const account = await db.maybe<{ balance: string; credit_limit: string }>(
    sql`select balance, credit_limit from registrar where client_id = ${client}`,
  );
  if (account === undefined) throw new ControlError(404, `no account "${client}": ?client= names one`);
  const limit = limitOf(query, defaultLimit, maxLimit);
  const after = /^\d{1,18}$/.test(query.get('after') ?? '') ? query.get('after') : '0';
  const lines = await db.many<LineRow>(sql`
    select id, at, kind, command, domain, years, amount, balance_after, cl_trid, sv_trid, refund_of from statement
    where client_id = ${client} and id > ${after} and (${query.get('domain')}::text is null or domain = ${query.get('domain')})
    order by id limit ${limit}`);
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
  const rows = await db.many<{ kind: string; total: string }>(
    sql`select kind, sum(amount)::bigint as total from statement where client_id = ${client} group by kind`,
  );
  const total = (kind: string) => decimal(BigInt(rows.find((row) => row.kind === kind)?.total ?? 0));
  return { charged: total('charge'), refunded: total('refund'), deposited: total('deposit') };
}

export async function linesOfDomain(db: Reader, domain: string) {
  const lines = await db.many<LineRow & { client_id: string }>(sql`
    select id, client_id, at, kind, command, domain, years, amount, balance_after, cl_trid, sv_trid, refund_of
    from statement where domain = ${domain} order by id`);
  return lines.map(lineShown);
}
