import { type Reader, sql, type Tx } from '@namehold/postgres';
import { type PaymentRow, paymentColumns, paymentOf } from './payment.sql.ts';
import type { Payment } from './payment.ts';
import type { LineIdentity } from './statement-cells.ts';

/** The source of a line. */
export interface EntryPlace {
  readonly resellerId: string;
  readonly provider: string;
}
export type PlacedLine = LineIdentity & { readonly nth: number };

const credited = (where: ReturnType<typeof sql>) => sql`
  select ${paymentColumns} from payment where id = (select l.payment_id from statement_line l where l.payment_id is not null and ${where} order by l.id limit 1)`;

/** The payment of this very line of this format, or of an entry with its id. */
export async function paymentOfLine(
  db: Reader,
  { resellerId, provider }: EntryPlace,
  { key, nth, ownId }: PlacedLine,
): Promise<Payment | undefined> {
  const of = sql`l.reseller_id = ${resellerId} and l.provider = ${provider}`;
  const equal = await db.maybe<PaymentRow>(credited(sql`${of} and l.line_key = ${key} and l.nth = ${nth}`));
  const row =
    equal ?? (ownId === null ? undefined : await db.maybe<PaymentRow>(credited(sql`${of} and l.own_id = ${ownId}`)));
  return row && paymentOf(row);
}

export async function paymentByOwnId(
  db: Reader,
  { resellerId, provider }: EntryPlace,
  ownId: string,
): Promise<Payment | undefined> {
  const row = await db.maybe<PaymentRow>(
    credited(sql`l.reseller_id = ${resellerId} and l.provider = ${provider} and l.own_id = ${ownId}`),
  );
  return row && paymentOf(row);
}

export interface EntryRow extends Payment {
  readonly lines: readonly {
    readonly own_id: string | null;
    readonly entry_date: string | null;
    readonly cells: Readonly<Record<string, string>>;
  }[];
}

/**
 * Credited entries of an expected payment, of this amount, that are not yet linked to a line of this format. Entries of earlier releases
 * and those confirmed manually or by a notice have no lines.
 */
export async function entriesOfOtherFormats(
  db: Reader,
  { resellerId, provider }: EntryPlace,
  expectedId: string,
  line: Pick<LineIdentity, 'amount' | 'columnsKey'>,
  limit: number,
): Promise<EntryRow[]> {
  const rows = await db.many<PaymentRow & Pick<EntryRow, 'lines'>>(sql`
    select ${paymentColumns}, (
      select coalesce(jsonb_agg(jsonb_build_object('own_id', l.own_id, 'entry_date', l.entry_date, 'cells', l.cells)), '[]')
      from statement_line l where l.payment_id = payment.id) as lines
    from payment
    where expected_id = ${expectedId} and reseller_id = ${resellerId} and provider = ${provider} and amount = ${line.amount} and fate <> 'charged_back'
      and not exists (select from statement_line l where l.payment_id = payment.id and l.columns_key = ${line.columnsKey})
    order by id limit ${limit}`);
  return rows.map(({ lines, ...row }) => ({ ...paymentOf(row), lines }));
}

export interface KeptLine {
  readonly fate: string;
  readonly paymentId: string | null;
}

/** Identifies a line among those of a seller and provider. */
export const placeKey = ({ key, nth }: Pick<PlacedLine, 'key' | 'nth'>): string => `${nth} ${key}`;

/** A payment has one line per format. */
const noSuchFormat = (paymentId: string) => sql`
  not exists (select from statement_line x where x.payment_id = ${paymentId} and x.columns_key = statement_line.columns_key)`;

/** An existing line stays unchanged, except one that is credited now. */
export async function insertLine(
  tx: Tx,
  { resellerId, provider }: EntryPlace,
  expectedId: string,
  line: PlacedLine,
  { fate, paymentId }: KeptLine,
  at: Date,
): Promise<void> {
  const inserted = await tx.run(sql`
    insert into statement_line (reseller_id, provider, expected_id, payment_id, line_key, nth, columns_key, cells, own_id, entry_date, amount, currency, fate, imported_at)
    values (${resellerId}, ${provider}, ${expectedId}, ${paymentId}, ${line.key}, ${line.nth}, ${line.columnsKey}, ${JSON.stringify(line.cells)}::jsonb, ${line.ownId},
            ${line.date}, ${line.amount}, ${line.currency}, ${fate}, ${at})
    on conflict do nothing`);
  if (inserted === 1 || paymentId === null) return;
  await tx.run(sql`
    update statement_line set payment_id = ${paymentId}, fate = ${fate}
    where reseller_id = ${resellerId} and provider = ${provider} and line_key = ${line.key} and nth = ${line.nth} and payment_id is null
      and ${noSuchFormat(paymentId)}`);
}

/** Not credited, not corrected by another payment, and not accepted by an operator. */
export const isOpenLine = sql`payment_id is null and settled_by is null and accepted_at is null`;

export async function countUncredited(db: Reader, resellerId: string, limit: number): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::integer as count from (
      select from statement_line where reseller_id = ${resellerId} and ${isOpenLine} limit ${limit}) l`);
  return row.count;
}

export interface UncreditedLine {
  readonly id: string;
  readonly key: string;
  readonly nth: number;
  readonly fate: string;
  readonly entry_date: string | null;
  readonly cells: Readonly<Record<string, string>>;
}

/** Uncredited lines of an expected payment that a payment of this amount may correct, oldest first. */
export async function uncreditedLines(
  tx: Tx,
  expectedId: string,
  amount: bigint,
  limit: number,
): Promise<UncreditedLine[]> {
  return tx.many<UncreditedLine>(sql`
    select id, line_key as key, nth, fate, entry_date, cells from statement_line
    where expected_id = ${expectedId} and ${isOpenLine} and (amount is null or amount = ${amount} or fate = 'wrong_currency')
    order by id limit ${limit}`);
}

export async function settleLine(tx: Tx, id: string, paymentId: string): Promise<void> {
  await tx.run(sql`update statement_line set settled_by = ${paymentId} where id = ${id} and ${isOpenLine}`);
}
