import { formatMoney, type Money, money } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import { findReseller } from '../accounts/account.sql.ts';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { findCustomer } from '../customers/customer.sql.ts';
import { DeletedReference } from '../deleted-reference.ts';
import { billStatusText } from '../domains/orders/bill.ts';
import { orderLimits } from '../domains/orders/wait.ts';
import { badField, Refusal } from '../errors.ts';
import { positiveMoney } from '../ledger/fund.ts';
import { selectTransactions } from '../ledger/ledger.sql.ts';
import { requireProvider } from './account.ts';
import { findAccount, insertExpected } from './payment.sql.ts';
import type { ExpectedPayment } from './payment.ts';
import { makeReference } from './reference.ts';

interface PaymentOrder {
  readonly provider: string;
  /** The payer: a customer, or a direct child. */
  readonly customerId?: string | undefined;
  readonly payerId?: string | undefined;
  /** Of a deposit. */
  readonly amount?: string | undefined;
  /** Bills of the customer to be paid; their sum is the amount. */
  readonly billIds?: readonly string[] | undefined;
  readonly description?: string | undefined;
}

/** A seller registers an expected payment, and gets the reference for the payer. */
export async function expectPayment(ctx: AppContext, actor: Actor, order: PaymentOrder): Promise<ExpectedPayment> {
  if ((order.customerId === undefined) === (order.payerId === undefined))
    throw badField('customerId', 'Send the payer: either a customer or a sub-reseller, not both.');
  return writeAsService(ctx, actor, (tx) => expectWithin(ctx, tx, actor, actor.resellerId, order));
}

/** A reseller announces a payment to its parent, and gets the parent's reference. */
export async function expectDeposit(
  ctx: AppContext,
  actor: Actor,
  order: { readonly provider: string; readonly amount: string },
): Promise<ExpectedPayment> {
  const self = await findReseller(ctx.db.as(allTenants), actor.resellerId, actor.resellerId);
  if (!self) throw new DeletedReference('reseller', actor.resellerId, 'payer_id');
  const seller = self.parent_id;
  if (!seller) throw new Refusal('conflict', 'The operator has no parent account to pay.');
  return writeAsService(ctx, actor, (tx) =>
    expectWithin(ctx, tx, actor, seller, { ...order, payerId: actor.resellerId }),
  );
}

async function expectWithin(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  sellerId: string,
  order: PaymentOrder,
): Promise<ExpectedPayment> {
  requireProvider(ctx, order.provider);
  if (!(await findAccount(tx, sellerId, order.provider)))
    throw new Refusal('conflict', `The payee has not set up ${order.provider} yet.`);
  const currency = await payerCurrency(tx, sellerId, order);
  const amount = await amountOf(tx, sellerId, order, currency);
  const expected: ExpectedPayment = {
    id: ctx.ids.next('pay'),
    reseller_id: sellerId,
    customer_id: order.customerId ?? null,
    payer_id: order.payerId ?? null,
    provider: order.provider,
    reference: makeReference(ctx.ids),
    amount: amount.amount,
    received: 0n,
    charged_back: 0n,
    currency,
    description: order.description ?? (order.billIds?.length ? 'Payment of bills' : 'Deposit'),
    bill_ids: order.billIds ?? [],
    state: 'open',
    settlement: null,
    settlement_reason: null,
    created_at: ctx.clock.now(),
    paid_at: null,
  };
  await insertExpected(tx, expected);
  await audit(ctx, tx, actor, {
    action: 'payment.expect',
    objectType: 'payment',
    objectId: expected.id,
    after: {
      reseller_id: sellerId,
      customer_id: expected.customer_id,
      payer_id: expected.payer_id,
      reference: expected.reference,
      amount: formatMoney(amount),
      currency,
      bill_ids: expected.bill_ids,
    },
  });
  return expected;
}

async function payerCurrency(tx: Tx, sellerId: string, { customerId, payerId }: PaymentOrder): Promise<string> {
  if (customerId !== undefined) {
    const customer = await findCustomer(tx, sellerId, customerId);
    if (!customer) throw badField('customerId', 'Customer not found.', 'not_found');
    return customer.currency;
  }
  const child = await findReseller(tx, sellerId, payerId!);
  if (!child || child.parent_id !== sellerId) throw new DeletedReference('reseller', payerId!, 'payer_id');
  return child.selling_currency;
}

/** The amount owed for the bills, or the amount of the request. */
async function amountOf(tx: Tx, sellerId: string, order: PaymentOrder, currency: string): Promise<Money> {
  const ids = [...new Set(order.billIds ?? [])];
  if (ids.length === 0) {
    if (order.amount === undefined) throw badField('amount', 'This field is required for a deposit.', 'required');
    return positiveMoney(order.amount, currency);
  }
  if (order.amount !== undefined) throw badField('amount', 'The amount is the sum of the bills. Leave this field out.');
  if (order.customerId === undefined) throw badField('billIds', 'Bills belong to a customer. Send the customer too.');
  if (ids.length > orderLimits.billsPerCall)
    throw badField('billIds', `Must have at most ${orderLimits.billsPerCall} bills.`, 'too_many');
  const filter = {
    viewerId: sellerId,
    resellerId: sellerId,
    customerId: order.customerId,
    ids,
    types: ['domain', 'privacy_protect'],
  };
  const { rows } = await selectTransactions(tx, filter, { limit: ids.length, offset: 0 });
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw badField('billIds', 'This customer has no such bill.', 'not_found');
  const closed = rows.find((row) => row.status !== 'unpaid');
  if (closed) throw badField('billIds', `Bill ${closed.id} ${billStatusText(closed)}. It cannot be paid.`);
  const owed = rows.reduce((sum, row) => sum + row.amount - row.credited, 0n);
  if (owed === 0n) throw badField('billIds', 'Nothing is owed for these bills.');
  return money(owed, currency);
}
