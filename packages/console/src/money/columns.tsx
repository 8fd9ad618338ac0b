import type { Schema } from '../api/shapes.ts';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { Badge } from '../components/status-icon.tsx';
import type { Column } from '../components/table.tsx';
import { describeTransaction } from './describe-transaction.ts';
import type { messages } from './messages.ts';

type Transaction = Schema<'Transaction'>;

const tones = { pending: 'warn', completed: 'good', cancelled: 'plain', refunded: 'plain', unpaid: 'warn' } as const;

/** An unpaid or cancelled order does not change the balance. */
const isCharged = (status: Transaction['status']): boolean => status !== 'unpaid' && status !== 'cancelled';

/** The columns of transactions of an account or a customer. */
export function columns(t: ReturnType<typeof messages>): readonly Column<Transaction>[] {
  return [
    { key: 'date', title: t.date, cell: (row) => <Moment at={row.created_at} withTime isBusiness /> },
    {
      key: 'what',
      title: t.description,
      isTitle: true,
      cell: (row) =>
        row.operation_id ? (
          <a href={`/app/operations/${row.operation_id}`} translate={false}>
            {describeTransaction(row.description)}
          </a>
        ) : (
          <span translate={false}>{describeTransaction(row.description)}</span>
        ),
    },
    { key: 'type', title: t.type, cell: (row) => t.types[row.transaction_type] },
    { key: 'status', title: t.status, cell: (row) => <Badge tone={tones[row.status]}>{t.statuses[row.status]}</Badge> },
    {
      key: 'amount',
      title: t.amount,
      isNumber: true,
      cell: ({ amount, direction, currency, status }) => (
        <Money
          amount={`${direction === 'debit' && isCharged(status) ? '-' : ''}${Math.abs(amount)}`}
          currency={currency}
        />
      ),
    },
    {
      key: 'balance',
      title: t.after,
      isNumber: true,
      cell: (row) => (!isCharged(row.status) ? '–' : <Money amount={String(row.balance)} currency={row.currency} />),
    },
  ];
}
