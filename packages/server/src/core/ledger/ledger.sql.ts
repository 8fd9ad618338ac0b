import type { Money } from '@namehold/base';
import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';
import { atMost, nearerEnd, pageOfNewest } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';
import type { Bill, CancelReason, Purchase, Transaction } from './ledger.ts';

const columns = sql.raw(
  `id, purchase_id, reseller_id, customer_id, seller_id, type, status, direction, amount, captured, refunded, credited, currency, balance_after,
   description, operation_id, domain_id, action, years, created_at, settled_at, cancel_reason`,
);

/** An order that ran without a bill (`cancel_invoice`) is found as well. */
const shown = sql`${columns}, case when operation_id is null and status = 'cancelled' and customer_id is not null then (
  select o.id from operation o where o.bill_id = ledger_transaction.id order by o.id desc limit 1) end as ran_as`;

type Row = { [K in keyof Transaction]: Transaction[K] extends bigint ? string : Transaction[K] };

function transactionOf({ ran_as, ...row }: Row & { readonly ran_as?: string | null }): Transaction {
  return {
    ...row,
    operation_id: row.operation_id ?? ran_as ?? null,
    amount: BigInt(row.amount),
    captured: BigInt(row.captured),
    refunded: BigInt(row.refunded),
    credited: BigInt(row.credited),
    balance_after: BigInt(row.balance_after),
  };
}

interface HoldResult {
  readonly transaction_id: string | null;
  readonly bill_id: string | null;
  /** Level in the chain without enough money: 1 for the buyer, 0 for its customer. */
  readonly lacking_place: number | null;
  readonly missing: string | null;
  /** Level in the chain of the first account that is not active, 1 for the buyer. */
  readonly inactive_place: number | null;
}

export async function holdPurchase(tx: Tx, at: Date, p: Purchase): Promise<HoldResult> {
  // Numbers as text: numbers in JSON do not have enough digits.
  const order = JSON.stringify({
    at,
    payers: p.levels.map((level) => level.resellerId),
    sellers: p.levels.map((level) => level.sellerId),
    amounts: p.levels.map((level) => level.amount.amount.toString()),
    currencies: p.levels.map((level) => level.amount.currency),
    cost: p.registryCost?.amount.toString() ?? null,
    cost_currency: p.registryCost?.currency ?? null,
    type: p.type ?? 'domain',
    operation: p.operationId ?? null,
    domain: p.domainId ?? null,
    action: p.action,
    years: p.years,
    description: p.description,
    bill: p.bill ? billOf(p.bill) : null,
  });
  return tx.one<HoldResult>(sql`
    select transaction_id, lacking_place, missing, inactive_place, bill_id from ledger_hold_sealed(${order}, ${tx.sign(order, 'hold')})`);
}

const billOf = ({ customerId, amount, how, transactionId }: Bill) => ({
  customer: customerId,
  amount: amount.amount.toString(),
  currency: amount.currency,
  how,
  transaction: transactionId ?? null,
});

/** The bill of a waiting order: no money moves. */
export async function insertBill(
  tx: Tx,
  at: Date,
  bill: Pick<Purchase, 'type' | 'action' | 'years' | 'description'> & {
    readonly resellerId: string;
    readonly customerId: string;
    readonly domainId: string;
    readonly amount: Money;
  },
): Promise<string> {
  const order = JSON.stringify({
    at,
    reseller: bill.resellerId,
    customer: bill.customerId,
    amount: bill.amount.amount.toString(),
    currency: bill.amount.currency,
    type: bill.type ?? 'domain',
    domain: bill.domainId,
    action: bill.action,
    years: bill.years,
    description: bill.description,
  });
  const row = await tx.one<{ id: string }>(sql`select ledger_bill_sealed(${order}, ${tx.sign(order, 'bill')}) as id`);
  return row.id;
}

/** All accounts that payments of this customer can affect, in the lock order: for a transaction that moves money more than once. */
export async function lockPayers(tx: Tx, resellerId: string, customerId: string): Promise<void> {
  await tx.run(sql`select ledger_lock_payers(${resellerId}, ${customerId})`);
}

/** Bills of one customer with their purchases, locked; missing bills and those of other customers are left out. */
export async function lockBills(
  tx: Tx,
  resellerId: string,
  customerId: string,
  ids: readonly string[],
): Promise<Transaction[]> {
  const rows = await tx.many<Row>(
    sql`select ${columns} from ledger_bills_lock(${resellerId}, ${customerId}, ${ids}::bigint[])`,
  );
  return rows.map(transactionOf);
}

/** Of an order that has run. Returns the missing amount; zero: paid. */
export async function payBill(tx: Tx, at: Date, resellerId: string, id: string): Promise<bigint> {
  const row = await tx.one<{ missing: string }>(sql`select ledger_bill_pay(${at}, ${resellerId}, ${id}) as missing`);
  return BigInt(row.missing);
}

/** Of a waiting order; undefined if it does not wait. */
export async function cancelBill(
  tx: Tx,
  at: Date,
  resellerId: string,
  id: string,
  reason: CancelReason,
): Promise<Transaction | undefined> {
  const row = await tx.maybe<Row>(
    sql`select ${columns} from ledger_bill_cancel(${at}, ${resellerId}, ${id}, ${reason})`,
  );
  return row && transactionOf(row);
}

/** Level in the chain of the first account that is not active, 1 for the buyer. */
export async function findSuspendedLevel(db: Reader, resellerId: string): Promise<number | null> {
  return (await db.one<{ place: number | null }>(sql`select chain_inactive_place(${resellerId}) as place`)).place;
}

export async function capturePurchase(
  tx: Tx,
  at: Date,
  id: string,
  amount: bigint | null,
  cost: Money | undefined,
): Promise<Transaction> {
  return transactionOf(
    await tx.one<Row>(sql`
      select ${columns} from ledger_capture(${at}, ${id}, ${amount}, ${cost?.amount ?? null}, ${cost?.currency ?? null})`),
  );
}

export async function releasePurchase(tx: Tx, at: Date, id: string): Promise<Transaction> {
  return transactionOf(await tx.one<Row>(sql`select ${columns} from ledger_release(${at}, ${id})`));
}

export async function holdPurchaseAgain(tx: Tx, at: Date, id: string): Promise<Transaction> {
  return transactionOf(await tx.one<Row>(sql`select ${columns} from ledger_hold_again(${at}, ${id})`));
}

export async function refundPurchase(
  tx: Tx,
  at: Date,
  id: string,
  total: bigint | null,
  keepCost: boolean,
): Promise<Transaction & { readonly refundedBefore: bigint }> {
  // The statement's own snapshot is older than the effects of the function.
  const row = await tx.one<Row & { refunded_before: string }>(sql`
    select ${columns}, (select b.refunded from ledger_transaction b where b.id = ${id}) as refunded_before
    from ledger_refund(${at}, ${id}, ${total}, ${keepCost})`);
  return { ...transactionOf(row), refundedBefore: BigInt(row.refunded_before) };
}

/** What a registry charged for an auto-renewed year, until a purchase takes it over. */
export interface RegistryCharge {
  readonly id: string;
  /** The end of the term that it extended. */
  readonly period: Date;
  readonly cost: string;
  readonly currency: string;
}

/** Unpaid years that the registry added to a domain by auto-renewal, over all of its rows: the oldest first. */
export async function unpaidRenewalCharges(
  db: Reader,
  name: { readonly name: string; readonly registry_id: string },
): Promise<RegistryCharge[]> {
  return db.many<RegistryCharge>(sql`
    select t.id, t.period, t.cost_amount as cost, t.cost_currency as currency
    from domain x join ledger_transaction t on t.domain_id = x.id
    where x.registry_id = ${name.registry_id} and x.name collate "C" = ${name.name} and t.type = 'registry' and t.action = 'auto_renew' and t.status = 'completed'
    order by t.period`);
}

/** The cost that the ledger expects for a purchase. */
export async function costOfPurchase(
  db: Reader,
  transactionId: string,
): Promise<{ amount: bigint; currency: string; years: number; name: string; tld: string } | undefined> {
  const row = await db.maybe<{ cost: string; currency: string; years: number; name: string; tld: string }>(sql`
    select c.cost_amount as cost, c.cost_currency as currency, coalesce(t.years, 1) as years, d.name, d.tld
    from ledger_transaction t join domain d on d.id = t.domain_id
    join ledger_transaction c on c.purchase_id = t.purchase_id and c.cost_amount is not null
    where t.id = ${transactionId} limit 1`);
  return row && { ...row, amount: BigInt(row.cost) };
}

export async function postRegistryCharge(
  tx: Tx,
  at: Date,
  charge: { readonly domainId: string; readonly period: Date; readonly cost: Money; readonly description: string },
): Promise<void> {
  const { domainId, period, cost, description } = charge;
  await tx.run(
    sql`select ledger_registry_charge(${at}, ${domainId}, ${period}, ${cost.amount}, ${cost.currency}, ${description})`,
  );
}

/** A charge in the registry's statement without a payer here: a cost of the operator. */
export async function postRegistryCost(
  tx: Tx,
  at: Date,
  charge: {
    readonly domainId: string;
    readonly chargedAt: Date;
    /** The command, as named in the statement. */
    readonly action: string;
    readonly cost: Money;
    readonly description: string;
  },
): Promise<void> {
  const { domainId, chargedAt, action, cost, description } = charge;
  await tx.run(sql`
    select ledger_registry_cost(${at}, ${domainId}, ${chargedAt}, ${action}, ${cost.amount}, ${cost.currency}, ${description})`);
}

/** The latest cost of the operator for a domain name with exactly this amount. */
export async function registryCostOf(
  db: Reader,
  wanted: { readonly registryId: string; readonly name: string; readonly cost: Money },
): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select t.id from domain x join ledger_transaction t on t.domain_id = x.id
    where x.registry_id = ${wanted.registryId} and x.name collate "C" = ${wanted.name} and t.type = 'registry' and t.status = 'completed'
      and t.cost_posted = ${wanted.cost.amount} and t.cost_currency = ${wanted.cost.currency}
    order by t.period desc limit 1`);
  return row?.id;
}

interface PurchaseLevel {
  readonly reseller_id: string;
  readonly customer_id: string | null;
  readonly amount: string;
  readonly currency: string;
}

/** What an order holds on each level, the buyer's first; nothing if it costs nothing. */
export async function levelsOnHold(db: Reader, purchaseId: string): Promise<PurchaseLevel[]> {
  return db.many<PurchaseLevel>(sql`
    select reseller_id, customer_id, amount, currency from ledger_transaction
    where purchase_id = ${purchaseId} and status = 'pending' and amount > 0 order by (id <> purchase_id), id`);
}

/** Levels of a purchase whose buyer is deleted, with what was refunded to it. */
export async function refundsOfDeleted(tx: Tx, purchaseId: string) {
  return tx.many<{ id: string; reseller_id: string; parent_id: string; refunded: string; currency: string }>(sql`
    select t.id, t.reseller_id, r.parent_id, t.refunded, t.currency from ledger_transaction t join reseller r on r.id = t.reseller_id
    where t.purchase_id = ${purchaseId} and t.customer_id is null and t.refunded > 0 and r.deleted_at is not null and r.parent_id is not null order by t.id`);
}

/** `cancelled`: a purchase has it now; `refunded`: the registry refunded it. */
export async function endRegistryCharge(tx: Tx, at: Date, id: string, status: 'cancelled' | 'refunded'): Promise<void> {
  await tx.run(sql`select ledger_registry_charge_end(${at}, ${id}, ${status})`);
}

export interface Posting {
  /** A charge-back needs no cover. */
  readonly posting: 'fund' | 'debit' | 'chargeback';
  readonly funderId: string;
  readonly resellerId: string;
  readonly customerId?: string | null;
  readonly amount: Money;
  readonly description: string;
}

/** Undefined if the balance does not allow it. */
export async function post(tx: Tx, at: Date, p: Posting): Promise<Transaction | undefined> {
  const row = await tx.maybe<Row>(sql`
    select ${columns} from ledger_post(${at}, ${p.posting}, ${p.funderId}, ${p.resellerId}, ${p.customerId ?? null}, ${p.amount.amount},
                                       ${p.amount.currency}, ${p.description})`);
  return row && transactionOf(row);
}

export async function readBalance(db: Reader, viewerId: string, resellerId: string, currency: string) {
  const row = await db.one<{ available: string; held: string; credit_limit: string }>(
    sql`select available, held, credit_limit from ledger_balance(${viewerId}, ${resellerId}, ${currency})`,
  );
  return { available: BigInt(row.available), held: BigInt(row.held), creditLimit: BigInt(row.credit_limit) };
}

export async function readCustomerBalance(
  db: Reader,
  resellerId: string,
  customerId: string,
  currency: string,
): Promise<{ available: bigint; held: bigint }> {
  const row = await db.one<{ available: string; held: string }>(sql`
    select coalesce(sum(balance) filter (where kind = 'customer'), 0) as available, coalesce(sum(balance) filter (where kind = 'held'), 0) as held
    from ledger_account where reseller_id = ${resellerId} and customer_id = ${customerId} and currency = ${currency}`);
  return { available: BigInt(row.available), held: BigInt(row.held) };
}

/** Bills of a customer that are open, running or waiting. */
export async function owedByCustomer(
  db: Reader,
  resellerId: string,
  customerId: string,
): Promise<{ bill: string | null; bills: number }> {
  return db.one<{ bill: string | null; bills: number }>(sql`
    select min(id)::text as bill, count(*)::integer as bills from ledger_transaction
    where reseller_id = ${resellerId} and customer_id = ${customerId} and status in ('unpaid', 'pending')`);
}

/** False if the debt is already larger than the new limit. */
export async function updateCreditLimit(tx: Tx, parentId: string, resellerId: string, limit: Money): Promise<boolean> {
  const row = await tx.maybe(
    sql`select id from ledger_set_credit_limit(${parentId}, ${resellerId}, ${limit.currency}, ${limit.amount})`,
  );
  return row !== undefined;
}

/** The figure that panels show beside an account; it changes with deposits and, on request, with debit notes. */
export async function addTotalReceipts(tx: Tx, resellerId: string, change: bigint): Promise<void> {
  await tx.run(
    sql`update reseller set total_receipts = greatest(0, total_receipts + ${change}) where id = ${resellerId}`,
  );
}

export async function addCustomerReceipts(
  tx: Tx,
  resellerId: string,
  customerId: string,
  change: bigint,
): Promise<void> {
  await tx.run(sql`
    update customer set total_receipts = greatest(0, total_receipts + ${change}) where id = ${customerId} and reseller_id = ${resellerId}`);
}

export async function findPurchaseOfOperation(db: Reader, operationId: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(
    sql`select id from ledger_transaction where operation_id = ${operationId} and id = purchase_id`,
  );
  return row?.id;
}

export interface TransactionFilter {
  /** The reader: the payer itself or the direct parent that sold to it. */
  readonly viewerId: string;
  readonly resellerId: string;
  readonly customerId?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly amountFrom?: bigint | undefined;
  readonly amountTo?: bigint | undefined;
  readonly description?: string | undefined;
  readonly onlyPending?: boolean | undefined;
}

function conditions(f: TransactionFilter) {
  const where = [
    sql`reseller_id = ${f.resellerId}`,
    ...(f.viewerId === f.resellerId ? [] : [sql`seller_id = ${f.viewerId}`]),
    f.customerId === undefined ? sql`customer_id is null` : sql`customer_id = ${f.customerId}`,
    // Auto-renewal charges of a registry concern only the registry and the operator.
    sql`type <> 'registry'`,
  ];
  if (f.types) where.push(sql`type = any(${f.types})`);
  if (f.ids) where.push(sql`id = any(${f.ids}::bigint[])`);
  if (f.from) where.push(sql`created_at >= ${f.from}`);
  if (f.to) where.push(sql`created_at <= ${f.to}`);
  if (f.amountFrom !== undefined) where.push(sql`amount >= ${f.amountFrom}`);
  if (f.amountTo !== undefined) where.push(sql`amount <= ${f.amountTo}`);
  if (f.description !== undefined) where.push(sql`strpos(lower(description), lower(${f.description})) > 0`);
  if (f.onlyPending) where.push(sql`status in ('pending', 'unpaid')`);
  return sql.join(where, ' and ');
}

/** Newest first. */
export async function selectTransactions(
  db: Reader,
  filter: TransactionFilter,
  page: Page,
): Promise<Listed<Transaction>> {
  const total = totalOf(filter);
  const { n } = await db.one<{ n: string }>(sql`select ${total} as n`);
  const most = Number(n);
  return isAll(filter) ? selectFromAll(db, filter, page, most, total) : selectFromSome(db, filter, page, most);
}

/** Counters kept beside the transactions, for a payer and its kinds of transactions. */
function totalOf(f: TransactionFilter): Sql {
  const types = f.types ? sql`type = any(${f.types})` : sql`true`;
  return sql`(select coalesce(sum(difference), 0)::bigint from transaction_total
    where reseller_id = ${f.resellerId} and customer_id = ${f.customerId ?? '0'} and type <> 'registry' and ${types})`;
}

export async function rollUpTransactionTotals(tx: Tx, rows: number): Promise<void> {
  await tx.run(sql`select transaction_total_fold(${rows})`);
}

/** Whether the payer has no others of these kinds; a parent may see fewer. */
function isAll({ viewerId, resellerId, customerId, types, ...rest }: TransactionFilter): boolean {
  return viewerId === resellerId && Object.values(rest).every((value) => value === undefined || value === false);
}

async function selectFromAll(
  db: Reader,
  filter: TransactionFilter,
  page: Page,
  known: number,
  total: Sql,
): Promise<Listed<Transaction>> {
  if (page.after !== undefined) return selectAfter(db, filter, page, known);
  const { isFromEnd, part } = nearerEnd(page, known, total);
  const found = await db.many<Row>(sql`
    select ${shown} from ledger_transaction where ${conditions(filter)} order by id ${sql.raw(isFromEnd ? 'asc' : 'desc')} ${part}`);
  const rows = isFromEnd ? found.reverse() : found;
  const isMore = page.offset + rows.length < known;
  return { rows: rows.map(transactionOf), total: known, isMore, last: rows.at(-1)?.id };
}

async function selectAfter(
  db: Reader,
  filter: TransactionFilter,
  { after, limit }: Page,
  total: number,
): Promise<Listed<Transaction>> {
  const found = await db.many<Row>(sql`
    select ${shown} from ledger_transaction where ${conditions(filter)} and id < ${after} order by id desc limit ${limit + 1}`);
  const rows = found.slice(0, limit);
  return { rows: rows.map(transactionOf), total, isMore: found.length > limit, last: rows.at(-1)?.id };
}

async function selectFromSome(
  db: Reader,
  filter: TransactionFilter,
  page: Page,
  most: number,
): Promise<Listed<Transaction>> {
  const source = { table: sql`ledger_transaction`, where: conditions(filter), id: sql`id` };
  const { rows, total, totalIs, isMore, last } = await pageOfNewest<Row>(db, shown, source, page);
  return { rows: rows.map(transactionOf), ...atMost({ total, totalIs }, most), isMore, last };
}

export async function selectTransaction(db: Reader, filter: TransactionFilter): Promise<Transaction | undefined> {
  const row = await db.maybe<Row>(sql`select ${shown} from ledger_transaction where ${conditions(filter)}`);
  return row && transactionOf(row);
}
