import { formatMoney, money, parseMoney, type Queryable, sql, type Tx } from '@namehold/base';
import type { LineWord, Quote, QuoteLine } from './quote.ts';

const columns = sql.raw(
  'id, reseller_id, kind, domain_name, domain_id, years, lines, total, currency, premium_class, what_happens, valid_until, created_at, used_by_operation',
);

type Row = Omit<Quote, 'total' | 'lines'> & {
  readonly total: string;
  readonly currency: string;
  readonly lines: readonly { line: LineWord; years: number; amount: string }[];
};

function quoteOf({ total, currency, lines, ...row }: Row): Quote {
  return {
    ...row,
    total: money(BigInt(total), currency),
    lines: lines.map((line): QuoteLine => ({ ...line, amount: parseMoney(line.amount, currency) })),
  };
}

export async function insertQuote(tx: Tx, q: Omit<Quote, 'used_by_operation'>): Promise<Quote> {
  const lines = JSON.stringify(q.lines.map((line) => ({ ...line, amount: formatMoney(line.amount) })));
  const row = await tx.one<Row>(sql`
    insert into quote (id, reseller_id, kind, domain_name, domain_id, years, lines, total, currency, premium_class, what_happens,
                       valid_until, created_at)
    values (${q.id}, ${q.reseller_id}, ${q.kind}, ${q.domain_name}, ${q.domain_id}, ${q.years}, ${lines}, ${q.total.amount},
            ${q.total.currency}, ${q.premium_class}, ${q.what_happens}, ${q.valid_until}, ${q.created_at})
    returning ${columns}`);
  return quoteOf(row);
}

export async function findQuote(db: Queryable, resellerId: string, id: string): Promise<Quote | undefined> {
  const row = await db.maybe<Row>(sql`select ${columns} from quote where id = ${id} and reseller_id = ${resellerId}`);
  return row && quoteOf(row);
}

export async function lockQuote(tx: Tx, resellerId: string, id: string): Promise<Quote | undefined> {
  const row = await tx.maybe<Row>(
    sql`select ${columns} from quote where id = ${id} and reseller_id = ${resellerId} for update`,
  );
  return row && quoteOf(row);
}

export async function markQuoteUsed(tx: Tx, id: string, operationId: string, at: Date): Promise<void> {
  await tx.run(sql`update quote set used_by_operation = ${operationId}, used_at = ${at} where id = ${id}`);
}
