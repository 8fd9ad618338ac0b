import { type Reader, sql, type Tx } from '@namehold/postgres';
import { pageOfNewest } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';
import type { ExpectedPayment, Payment } from './payment.ts';

/** The present debt of unpaid bills, which a credit note may have reduced. */
const amountNow = `case when state = 'open' and cardinality(bill_ids) > 0 then least(amount, coalesce(nullif((
     select sum(t.amount - t.credited) from ledger_transaction t where t.id = any (expected_payment.bill_ids) and t.status = 'unpaid'), 0), amount))
   else amount end`;
const columns = sql.raw(
  `id, reseller_id, customer_id, payer_id, provider, reference, (${amountNow})::bigint as amount, received, charged_back, currency, description, bill_ids::text[] as bill_ids, state,
   settlement, settlement_reason, created_at, paid_at`,
);
type Amounts = 'amount' | 'received' | 'charged_back';
type Row = Omit<ExpectedPayment, Amounts> & Record<Amounts, string>;
const of = (row: Row): ExpectedPayment => ({
  ...row,
  amount: BigInt(row.amount),
  received: BigInt(row.received),
  charged_back: BigInt(row.charged_back),
});

export const paymentColumns = sql.raw(
  'id, reseller_id, provider, event_id, expected_id, fate, reference, amount, currency, transaction_id, received_at, entry_date, from_line, is_charge_back, accepted_at',
);
export type PaymentRow = Omit<Payment, 'amount'> & { readonly amount: string | null };
export const paymentOf = (row: PaymentRow): Payment => ({
  ...row,
  amount: row.amount === null ? null : BigInt(row.amount),
});

export async function insertExpected(tx: Tx, e: ExpectedPayment): Promise<void> {
  await tx.run(sql`
    insert into expected_payment (id, reseller_id, customer_id, payer_id, provider, reference, amount, currency, description, bill_ids, state, created_at)
    values (${e.id}, ${e.reseller_id}, ${e.customer_id}, ${e.payer_id}, ${e.provider}, ${e.reference}, ${e.amount}, ${e.currency}, ${e.description},
            ${e.bill_ids}::bigint[], ${e.state}, ${e.created_at})`);
}

/** Of the payee or of the payer. */
export async function findExpected(db: Reader, viewerId: string, id: string): Promise<ExpectedPayment | undefined> {
  const row = await db.maybe<Row>(
    sql`select ${columns} from expected_payment where id = ${id} and (reseller_id = ${viewerId} or payer_id = ${viewerId})`,
  );
  return row && of(row);
}

export async function lockExpected(
  tx: Tx,
  resellerId: string,
  wanted: { readonly id: string } | { readonly reference: string },
): Promise<ExpectedPayment | undefined> {
  const which = 'id' in wanted ? sql`id = ${wanted.id}` : sql`reference = ${wanted.reference}`;
  const row = await tx.maybe<Row>(
    sql`select ${columns} from expected_payment where ${which} and reseller_id = ${resellerId} for update`,
  );
  return row && of(row);
}

/** Of this seller, locked in the order of their ids. */
export async function lockAll(
  tx: Tx,
  resellerId: string,
  ids: readonly string[],
): Promise<Map<string, ExpectedPayment>> {
  const rows = await tx.many<Row>(sql`
    select ${columns} from expected_payment where id = any (${ids}::text[]) and reseller_id = ${resellerId} order by id for update`);
  return new Map(rows.map((row) => [row.id, of(row)]));
}

export async function findByReferences(
  db: Reader,
  resellerId: string,
  references: readonly string[],
): Promise<ExpectedPayment[]> {
  const rows = await db.many<Row>(
    sql`select ${columns} from expected_payment where reference = any (${references}::text[]) and reseller_id = ${resellerId}`,
  );
  return rows.map(of);
}

type Payer = Pick<ExpectedPayment, 'reseller_id' | 'customer_id' | 'payer_id'>;

/** Keeps the payer from being deleted before the transaction ends. False if it is already deleted. */
export async function sharePayer(tx: Tx, { reseller_id, customer_id, payer_id }: Payer): Promise<boolean> {
  const who =
    customer_id === null
      ? sql`reseller where id = ${payer_id}`
      : sql`customer where id = ${customer_id} and reseller_id = ${reseller_id}`;
  return (await tx.maybe(sql`select id from ${who} and deleted_at is null for key share`)) !== undefined;
}

/** Which of these payments wait for a deleted payer. */
export async function ofDeletedPayers(db: Reader, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select e.id from expected_payment e left join customer c on c.id = e.customer_id left join reseller r on r.id = e.payer_id
    where e.id = any (${ids}::text[]) and coalesce(c.deleted_at, r.deleted_at) is not null`);
  return new Set(rows.map((row) => row.id));
}

interface ExpectedFilter {
  readonly viewerId: string;
  readonly state?: string | undefined;
  readonly customerId?: string | undefined;
}

/** Newest first. */
export async function selectExpected(
  db: Reader,
  { viewerId, state, customerId }: ExpectedFilter,
  page: Page,
): Promise<Listed<ExpectedPayment>> {
  const where = [sql`(reseller_id = ${viewerId} or payer_id = ${viewerId})`];
  if (state !== undefined) where.push(sql`state = ${state}`);
  if (customerId !== undefined) where.push(sql`customer_id = ${customerId}`);
  const source = { table: sql`expected_payment`, where: sql.join(where, ' and '), id: sql`id` };
  const { rows, ...listed } = await pageOfNewest<Row>(db, columns, source, page);
  return { rows: rows.map(of), ...listed };
}

export async function addReceived(tx: Tx, id: string, amount: bigint): Promise<ExpectedPayment> {
  return of(
    await tx.one<Row>(
      sql`update expected_payment set received = received + ${amount} where id = ${id} returning ${columns}`,
    ),
  );
}

export async function addChargedBack(tx: Tx, id: string, amount: bigint): Promise<ExpectedPayment> {
  return of(
    await tx.one<Row>(
      sql`update expected_payment set charged_back = charged_back + ${amount} where id = ${id} returning ${columns}`,
    ),
  );
}

export async function markPaid(tx: Tx, id: string, at: Date): Promise<ExpectedPayment> {
  return of(
    await tx.one<Row>(sql`
      update expected_payment set state = 'paid', amount = ${sql.raw(amountNow)}, paid_at = ${at}, settlement = case when cardinality(bill_ids) > 0 then 'due' end
      where id = ${id} returning ${columns}`),
  );
}

/** Payments of which a part arrived that covers the present debt. */
export async function coveredPayments(db: Reader, limit: number): Promise<ExpectedPayment[]> {
  const rows = await db.many<Row>(sql`
    select ${columns} from expected_payment
    where state = 'open' and received > 0 and cardinality(bill_ids) > 0 and received >= ${sql.raw(amountNow)} order by id limit ${limit}`);
  return rows.map(of);
}

export async function markCancelled(tx: Tx, id: string): Promise<ExpectedPayment> {
  return of(
    await tx.one<Row>(sql`update expected_payment set state = 'cancelled' where id = ${id} returning ${columns}`),
  );
}

/** False if another transaction was first. */
export async function markSettled(
  tx: Tx,
  id: string,
  how: 'done' | 'refused',
  reason: string | null,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update expected_payment set settlement = ${how}, settlement_reason = ${reason} where id = ${id} and settlement = 'due'`);
  return changed === 1;
}

export async function dueSettlements(db: Reader, limit: number): Promise<ExpectedPayment[]> {
  const rows = await db.many<Row>(
    sql`select ${columns} from expected_payment where settlement = 'due' order by id limit ${limit}`,
  );
  return rows.map(of);
}

/** Of an event that was reported before. */
export async function findPayment(
  db: Reader,
  resellerId: string,
  provider: string,
  eventId: string,
): Promise<Payment | undefined> {
  const row = await db.maybe<PaymentRow>(sql`
    select ${paymentColumns} from payment where reseller_id = ${resellerId} and provider = ${provider} and event_id = ${eventId}`);
  return row && paymentOf(row);
}

/** False if it already exists. */
export async function insertPayment(tx: Tx, p: Payment): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into payment (${paymentColumns})
    values (${p.id}, ${p.reseller_id}, ${p.provider}, ${p.event_id}, ${p.expected_id}, ${p.fate}, ${p.reference}, ${p.amount}, ${p.currency},
            ${p.transaction_id}, ${p.received_at}, ${p.entry_date}, ${p.from_line}, ${p.is_charge_back}, ${p.accepted_at})
    on conflict on constraint payment_once do nothing`);
  return changed === 1;
}

interface Confirmed {
  readonly expectedId: string;
  readonly amount: bigint;
  readonly since: Date;
}

/** Gives the provider's id to the oldest manual confirmation of this amount that names no entry. */
export async function identifyConfirmation(
  tx: Tx,
  { expectedId, amount, since }: Confirmed,
  { provider, eventId }: { readonly provider: string; readonly eventId: string },
): Promise<Payment | undefined> {
  const row = await tx.maybe<PaymentRow>(sql`
    update payment set event_id = ${eventId} where id = (
      select id from payment p
      where expected_id = ${expectedId} and provider = ${provider} and amount = ${amount} and received_at >= ${since} and fate <> 'charged_back'
        and event_id ~ '^(hand|key)_' and not exists (select from statement_line l where l.payment_id = p.id)
      order by id limit 1)
    returning ${paymentColumns}`);
  return row && paymentOf(row);
}

/** Whether an imported line of this amount was credited for it. */
export async function isImported(db: Reader, { expectedId, amount, since }: Confirmed): Promise<boolean> {
  const row = await db.one<{ is_imported: boolean }>(sql`
    select exists (
      select from payment where expected_id = ${expectedId} and amount = ${amount} and from_line and received_at >= ${since}) as is_imported`);
  return row.is_imported;
}

export async function paymentsOf(db: Reader, expectedId: string): Promise<Payment[]> {
  const rows = await db.many<PaymentRow>(
    sql`select ${paymentColumns} from payment where expected_id = ${expectedId} order by id limit 100`,
  );
  return rows.map(paymentOf);
}

export interface PaymentAccount {
  readonly provider: string;
  readonly details: string;
  readonly secret_sealed: string | null;
  readonly updated_at: Date;
}

export async function findAccount(
  db: Reader,
  resellerId: string,
  provider: string,
): Promise<PaymentAccount | undefined> {
  return db.maybe<PaymentAccount>(sql`
    select provider, details, secret_sealed, updated_at from payment_account where reseller_id = ${resellerId} and provider = ${provider}`);
}

export async function listAccounts(db: Reader, resellerId: string): Promise<PaymentAccount[]> {
  return db.many<PaymentAccount>(sql`
    select provider, details, secret_sealed, updated_at from payment_account where reseller_id = ${resellerId} order by provider`);
}

/** A secret stays unchanged if none is given. */
export async function putAccount(tx: Tx, resellerId: string, a: PaymentAccount): Promise<void> {
  await tx.run(sql`
    insert into payment_account (reseller_id, provider, details, secret_sealed, updated_at)
    values (${resellerId}, ${a.provider}, ${a.details}, ${a.secret_sealed}, ${a.updated_at})
    on conflict (reseller_id, provider) do update set details = excluded.details,
      secret_sealed = coalesce(excluded.secret_sealed, payment_account.secret_sealed), updated_at = excluded.updated_at`);
}
