import { money } from '@namehold/base';
import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { requireProvider } from '../../../core/payments/account.ts';
import { readPayment } from '../../../core/payments/confirm.ts';
import { findAccount, paymentsOf } from '../../../core/payments/payment.sql.ts';
import { type ExpectedPayment, paymentStates } from '../../../core/payments/payment.ts';
import { text } from '../../field.ts';
import type { Caller } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';

export const payment_id = text({ max: 40, about: 'Id of the payment.', example: 'pay_06gxsvmka9v7qbwbdq2svf8e6g' });

const receiptView = z.object({
  at: z.string(),
  amount: moneyView.describe('The received amount.'),
  fate: z.string().describe('matched, underpaid, overpaid, late, charged_back.'),
  transaction_id: z.string().describe('The resulting deposit or debit note.'),
  entry_id: z.string().describe('Id at the bank or provider.'),
});

export const paymentView = z
  .object({
    payment_id: z.string().describe('Id of the payment.'),
    reseller_id: z.string().describe('The account that is paid.'),
    customer_id: z.string().nullable().describe('The customer that pays. Null: a sub-reseller pays.'),
    payer_id: z.string().nullable().describe('The sub-reseller that pays. Null: a customer pays.'),
    provider: z.string().describe('Payment method.'),
    reference: z.string().describe('Reference that the payer must give (ISO 11649).'),
    status: z.enum(paymentStates),
    amount: moneyView.describe('The requested amount.'),
    received: moneyView.describe('The amount received so far.'),
    charged_back: moneyView.describe('The part of it that was charged back.'),
    missing: moneyView.describe('The amount still missing.'),
    surplus: moneyView.describe('Amount beyond the requested one. It is on the balance of the payer.'),
    description: z.string(),
    transaction_ids: z.array(z.string()).describe('Bills that are paid when it arrives. Empty: a deposit.'),
    settlement: z
      .enum(['due', 'done', 'refused'])
      .nullable()
      .describe('For bills: due to be paid, paid, or not paid by it.'),
    settlement_reason: z.string().nullable().describe('Why the bills could not be paid. The money is on the balance.'),
    instructions: z.record(z.string(), z.string()).describe('Instructions for the payer.'),
    receipts: z.array(receiptView).describe('The receipts, at most 100.'),
    created_at: z.string(),
    paid_at: z.string().nullable().describe('When the full amount had arrived.'),
  })
  .meta({ id: 'Payment', description: 'An expected payment.' });

/** With its receipts and the instructions for the payer. */
/** The part that is stored for a repeated request; the current state is read again. */
export const keepPayment = ({ id }: Pick<ExpectedPayment, 'id'>) => ({ payment_id: id });

export const paymentNow = async (ctx: AppContext, caller: Caller, kept: unknown) =>
  showPayment(ctx, caller, await readPayment(ctx, caller, (kept as ReturnType<typeof keepPayment>).payment_id));

export async function showPayment(
  ctx: AppContext,
  caller: Caller,
  e: ExpectedPayment,
): Promise<z.output<typeof paymentView>> {
  const db = ctx.db.as(caller.resellerId);
  const [receipts, details] = await Promise.all([paymentsOf(db, e.id), detailsFor(ctx, e)]);
  const of = (amount: bigint) => showMoney(money(amount < 0n ? 0n : amount, e.currency));
  return {
    payment_id: e.id,
    reseller_id: e.reseller_id,
    customer_id: e.customer_id,
    payer_id: e.payer_id,
    provider: e.provider,
    reference: e.reference,
    status: e.state,
    amount: of(e.amount),
    received: of(e.received),
    charged_back: of(e.charged_back),
    missing: of(e.amount - e.received),
    surplus: of(e.received - e.amount),
    description: e.description,
    transaction_ids: [...e.bill_ids],
    settlement: e.settlement,
    settlement_reason: e.settlement_reason,
    instructions: details,
    receipts: receipts.map((each) => ({
      at: instantText(each.received_at),
      amount: of(each.amount!),
      fate: each.fate,
      transaction_id: each.transaction_id!,
      entry_id: each.event_id,
    })),
    created_at: instantText(e.created_at),
    paid_at: instantOrNull(e.paid_at),
  };
}

/** The payer cannot read the account that is paid, but gets its instructions. */
async function detailsFor(ctx: AppContext, e: ExpectedPayment): Promise<Record<string, string>> {
  const account = await findAccount(ctx.db.as(e.reseller_id), e.reseller_id, e.provider);
  return {
    ...requireProvider(ctx, e.provider).instructions({ reference: e.reference, details: account?.details ?? '' }),
  };
}

const usd = (amount: string) => ({ amount, currency: 'USD' });

export const paymentExample: z.output<typeof paymentView> = {
  payment_id: 'pay_06gxsvmka9v7qbwbdq2svf8e6g',
  reseller_id: '1000',
  customer_id: '2001',
  payer_id: null,
  provider: 'bank_transfer',
  reference: 'RF94407251936804',
  status: 'open',
  amount: usd('150.00'),
  received: usd('0.00'),
  charged_back: usd('0.00'),
  missing: usd('150.00'),
  surplus: usd('0.00'),
  description: 'Deposit',
  transaction_ids: [],
  settlement: null,
  settlement_reason: null,
  instructions: {
    details: 'Example Bank, account 1234567890, Example Reseller',
    reference: 'RF94407251936804',
    reference_in_groups: 'RF94 4072 5193 6804',
  },
  receipts: [],
  created_at: '2026-11-15T09:00:00Z',
  paid_at: null,
};

export const paidExample: z.output<typeof paymentView> = {
  ...paymentExample,
  status: 'paid',
  received: usd('150.00'),
  missing: usd('0.00'),
  receipts: [
    {
      at: '2026-11-16T09:00:00Z',
      amount: usd('150.00'),
      fate: 'matched',
      transaction_id: '1001',
      entry_id: '2026-11-16/0017',
    },
  ],
  paid_at: '2026-11-16T09:00:00Z',
};
