import type { Shape } from '../api/shapes.ts';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import type { Column } from '../parts/table.tsx';
import { sayLine } from './say-line.ts';
import type { words } from './words.ts';

type Transaction = Shape<'Transaction'>;

const tones = { pending: 'warn', completed: 'good', cancelled: 'plain', refunded: 'plain', unpaid: 'warn' } as const;

/** One posting a row, of an account or of a customer. */
export function columns(w: ReturnType<typeof words>): readonly Column<Transaction>[] {
  return [
    { key: 'date', title: w.date, cell: (row) => <Moment at={row.created_at} withTime isBusiness /> },
    {
      key: 'what',
      title: w.what,
      isTitle: true,
      cell: (row) =>
        row.operation_id ? (
          <a href={`/app/operations/${row.operation_id}`} translate={false}>
            {sayLine(row.description)}
          </a>
        ) : (
          <span translate={false}>{sayLine(row.description)}</span>
        ),
    },
    { key: 'type', title: w.type, cell: (row) => w.types[row.transaction_type] },
    { key: 'status', title: w.status, cell: (row) => <Badge tone={tones[row.status]}>{w.statuses[row.status]}</Badge> },
    {
      key: 'amount',
      title: w.amount,
      isNumber: true,
      cell: ({ amount, direction, currency }) => (
        <Money amount={`${direction === 'debit' ? '-' : ''}${Math.abs(amount)}`} currency={currency} />
      ),
    },
    {
      key: 'balance',
      title: w.after,
      isNumber: true,
      cell: (row) => <Money amount={String(row.balance)} currency={row.currency} />,
    },
  ];
}
