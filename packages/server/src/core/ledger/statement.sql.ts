import { type Reader, sql } from '@namehold/postgres';

/** Whose money, and the reader: the account itself, its parent, or the reseller of a customer. */
export interface StatementOf {
  readonly viewerId: string;
  readonly resellerId: string;
  readonly customerId: string | null;
  readonly currency: string;
}

/** One entry on the available balance. */
export interface StatementLine {
  readonly id: string;
  readonly at: Date;
  readonly posting: 'hold' | 'release' | 'refund' | 'fund' | 'debit';
  /** Signed: below zero it was debited. */
  readonly amount: bigint;
  /** Available balance after it. */
  readonly balance: bigint;
  readonly transaction_id: string;
  readonly type: string;
  readonly description: string;
  readonly domain_id: string | null;
}

export interface BalanceAt {
  readonly available: bigint;
  readonly held: bigint;
}

/** Of all entries before this moment. */
export async function readBalanceAt(db: Reader, of: StatementOf, at: Date): Promise<BalanceAt> {
  const row = await db.one<{ available: string; held: string }>(sql`
    select available, held from ledger_balance_at(${of.viewerId}, ${of.resellerId}, ${of.customerId}, ${of.currency}, ${at})`);
  return { available: BigInt(row.available), held: BigInt(row.held) };
}

interface MoneyDay {
  readonly day: string;
  readonly spent: bigint;
  readonly funded: bigint;
  readonly balance: bigint;
}

/** Days with entries, of the account itself. */
export async function selectDays(
  db: Reader,
  of: Pick<StatementOf, 'resellerId' | 'currency'>,
  period: { readonly from: Date; readonly to: Date },
): Promise<MoneyDay[]> {
  const rows = await db.many<{ day: string; spent: string; funded: string; balance: string }>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, spent, funded, balance
    from ledger_days(${of.resellerId}, ${of.resellerId}, ${of.currency}, ${period.from}, ${period.to})`);
  return rows.map(({ day, spent, funded, balance }) => ({
    day,
    spent: BigInt(spent),
    funded: BigInt(funded),
    balance: BigInt(balance),
  }));
}

/** In the order in which they took effect. */
export async function selectLines(
  db: Reader,
  of: StatementOf,
  period: { readonly from: Date; readonly to: Date },
  page: { readonly after: string; readonly limit: number },
): Promise<StatementLine[]> {
  const rows = await db.many<Omit<StatementLine, 'amount' | 'balance'> & { amount: string; balance: string }>(sql`
    select id, at, posting, amount, balance, transaction_id, type, description, domain_id
    from ledger_lines(${of.viewerId}, ${of.resellerId}, ${of.customerId}, ${of.currency}, ${period.from}, ${period.to}, ${page.after}, ${page.limit})`);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount), balance: BigInt(row.balance) }));
}
