import { type Money, money } from '@namehold/base';
import type { Transaction } from '../../ledger/ledger.ts';

/** Its order has not run. */
export const isWaiting = ({ status, operation_id }: Pick<Transaction, 'status' | 'operation_id'>): boolean =>
  status === 'unpaid' && operation_id === null;

export const billMoney = ({ amount, currency }: Transaction): Money => money(amount, currency);

/** The open amount of an unpaid bill. */
export const owedOf = ({ amount, credited, currency }: Transaction): Money => money(amount - credited, currency);

const endings = {
  asked: 'is cancelled',
  unpaid: 'has expired because it was not paid in time',
  gone: 'is cancelled because its domain no longer exists',
} as const;

/** The status of a bill, for a refusal. */
export function billStatusText(bill: Transaction): string {
  switch (bill.status) {
    case 'unpaid':
      return bill.operation_id === null ? 'is waiting for payment' : 'was executed and its bill is open';
    case 'pending':
      return 'is already paid and in progress';
    case 'completed':
      return 'is already paid';
    case 'refunded':
      return 'was paid and refunded';
    case 'cancelled':
      return endings[bill.cancel_reason ?? 'asked'];
  }
}
