import { type Money, money } from '@namehold/base';
import type { Transaction } from '../../ledger/ledger.ts';

/** Its order has not run. */
export const isWaiting = ({ status, operation_id }: Pick<Transaction, 'status' | 'operation_id'>): boolean =>
  status === 'unpaid' && operation_id === null;

export const billMoney = ({ amount, currency }: Transaction): Money => money(amount, currency);

/** What is still to be paid of an open bill. */
export const owedOf = ({ amount, credited, currency }: Transaction): Money => money(amount - credited, currency);

const endings = {
  asked: 'is cancelled',
  unpaid: 'has lapsed, because nobody paid it in time',
  gone: 'is cancelled, because its name is gone',
} as const;

/** How it stands, for a refusal. */
export function standing(bill: Transaction): string {
  switch (bill.status) {
    case 'unpaid':
      return bill.operation_id === null ? 'waits for its payment' : 'has run, and its bill is open';
    case 'pending':
      return 'is paid and under way already';
    case 'completed':
      return 'is paid already';
    case 'refunded':
      return 'was paid and given back';
    case 'cancelled':
      return endings[bill.cancel_reason ?? 'asked'];
  }
}
