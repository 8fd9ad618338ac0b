import { money } from '@namehold/base';
import { z } from 'zod';
import { type Transaction, transactionStatuses } from '../../../core/ledger/ledger.ts';
import { contractTime, instantOrNull, instantText } from '../../wire.ts';
import { moneyNumber, moneyView, showMoney } from './money-view.ts';

/** The transaction object of the contract (section 6.6), with additional fields of our own. */
export const transactionView = z
  .object({
    transaction_id: z.string(),
    reseller_id: z.string(),
    customer_id: z.string().optional().describe('Only with the transactions of a customer.'),
    transaction_type: z.enum(['domain', 'deposit', 'note', 'privacy_protect']),
    amount: z.number(),
    balance: z.number().describe('Available balance directly after it.'),
    date: z.string(),
    description: z.string(),
    status: z
      .enum(transactionStatuses)
      .describe('Pending: the money is on hold. Unpaid: an open bill, or a bill whose order waits.'),
    direction: z.enum(['debit', 'credit']),
    currency: z.string(),
    refunded: moneyView.nullable(),
    domain_id: z.string().nullable(),
    operation_id: z.string().nullable(),
    action: z.string().nullable(),
    years: z.number().int().nullable(),
    created_at: z.string(),
    settled_at: z.string().nullable(),
    cancel_reason: z
      .enum(['asked', 'unpaid', 'gone'])
      .optional()
      .describe('For an order. unpaid: it expired unpaid; gone: its domain has left.'),
  })
  .meta({ id: 'Transaction', description: 'A transaction of an account.' });

export function showTransaction(t: Transaction): z.output<typeof transactionView> {
  const of = (amount: bigint) => money(amount, t.currency);
  // A purchase that was captured in part was paid in that part only. An open bill is owed without its cancelled part.
  const paid =
    t.status === 'completed' || t.status === 'refunded'
      ? t.captured
      : t.status === 'cancelled'
        ? t.amount
        : t.amount - t.credited;
  return {
    transaction_id: t.id,
    reseller_id: t.reseller_id,
    ...(t.customer_id === null ? {} : { customer_id: t.customer_id }),
    transaction_type: t.type,
    amount: moneyNumber(of(paid)),
    balance: moneyNumber(of(t.balance_after)),
    date: contractTime(t.created_at),
    description: t.description,
    status: t.status,
    direction: t.direction,
    currency: t.currency,
    refunded: t.refunded === 0n ? null : showMoney(of(t.refunded)),
    domain_id: t.domain_id,
    operation_id: t.operation_id,
    action: t.action,
    years: t.years,
    created_at: instantText(t.created_at),
    settled_at: instantOrNull(t.settled_at),
    ...(t.cancel_reason === null ? {} : { cancel_reason: t.cancel_reason }),
  };
}

/** The contract documents a new deposit as pending in the response that creates it. Later reads show it as completed. */
export function showDeposit(t: Transaction): z.output<typeof transactionView> {
  return { ...showTransaction(t), status: 'pending' };
}

export const depositExample: z.output<typeof transactionView> = {
  transaction_id: '1001',
  reseller_id: '1000',
  transaction_type: 'deposit',
  amount: 150,
  balance: 350,
  date: '2026-11-15 09:00:00',
  description: 'bank transfer',
  status: 'completed',
  direction: 'credit',
  currency: 'USD',
  refunded: null,
  domain_id: null,
  operation_id: null,
  action: null,
  years: null,
  created_at: '2026-11-15T09:00:00Z',
  settled_at: '2026-11-15T09:00:00Z',
};

export const noteExample: z.output<typeof transactionView> = {
  ...depositExample,
  transaction_id: '1002',
  transaction_type: 'note',
  amount: 20,
  balance: 330,
  description: 'setup fee',
  direction: 'debit',
};

export const transactionExample: z.output<typeof transactionView> = {
  ...depositExample,
  transaction_id: '1003',
  transaction_type: 'domain',
  amount: 11.5,
  balance: 318.5,
  description: 'Registration of example-shop.com for 1 year',
  direction: 'debit',
  domain_id: '5001',
  operation_id: 'op_06gxsvmka9v7qbwbdq2svf8e6g',
  action: 'create',
  years: 1,
};
