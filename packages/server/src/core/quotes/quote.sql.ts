import { formatMoney, money, parseMoney } from '@namehold/base';
import { type Reader, sql, Table, type Tx } from '@namehold/postgres';
import type { LineKind, Quote, QuoteLine } from './quote.ts';

type QuoteRow = Omit<Quote, 'total' | 'lines'> & {
  readonly total: string;
  readonly currency: string;
  readonly lines: readonly { line: LineKind; years: number; amount: string }[];
};

export const quoteTable = new Table<QuoteRow>('quote', {
  id: 'text',
  reseller_id: 'bigint',
  customer_id: 'bigint?',
  kind: 'text',
  domain_name: 'text',
  domain_id: 'bigint?',
  years: 'integer',
  lines: 'jsonb',
  total: 'bigint',
  currency: 'text',
  premium_class: 'text?',
  what_happens: 'text',
  valid_until: 'timestamptz',
  created_at: 'timestamptz',
  used_by_operation: 'text?',
});
const { columns } = quoteTable;

function quoteOf({ total, currency, lines, ...row }: QuoteRow): Quote {
  return {
    ...row,
    total: money(BigInt(total), currency),
    lines: lines.map((line): QuoteLine => ({ ...line, amount: parseMoney(line.amount, currency) })),
  };
}

export async function insertQuote(tx: Tx, quote: Omit<Quote, 'used_by_operation'>): Promise<Quote> {
  const row = {
    ...quote,
    lines: quote.lines.map((line) => ({ ...line, amount: formatMoney(line.amount) })),
    total: quote.total.amount.toString(),
    currency: quote.total.currency,
  };
  return quoteOf(await tx.one<QuoteRow>(quoteTable.insert(row, `returning ${quoteTable.list}`)));
}

/** Only for the account or customer that requested it. */
interface QuoteOwner {
  readonly resellerId: string;
  readonly customerId?: string | undefined;
}

const ofOwner = ({ resellerId, customerId }: QuoteOwner) =>
  sql`reseller_id = ${resellerId} and customer_id is not distinct from ${customerId ?? null}::bigint`;

export async function findQuote(db: Reader, owner: QuoteOwner, id: string): Promise<Quote | undefined> {
  const row = await db.maybe<QuoteRow>(sql`select ${columns} from quote where id = ${id} and ${ofOwner(owner)}`);
  return row && quoteOf(row);
}

export async function lockQuote(tx: Tx, owner: QuoteOwner, id: string): Promise<Quote | undefined> {
  const row = await tx.maybe<QuoteRow>(
    sql`select ${columns} from quote where id = ${id} and ${ofOwner(owner)} for update`,
  );
  return row && quoteOf(row);
}

export async function markQuoteUsed(tx: Tx, id: string, operationId: string, at: Date): Promise<void> {
  await tx.run(sql`update quote set used_by_operation = ${operationId}, used_at = ${at} where id = ${id}`);
}
