import { Button } from '../components/button.tsx';
import type { Column } from '../components/table.tsx';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';

/** A table column with a button that removes the row. */
export function removal<Row>(nameOf: (row: Row) => string, onRemove: (row: Row) => void): readonly Column<Row>[] {
  const t = messages();
  if (!may('domains:write')) return [];
  return [
    {
      key: 'do',
      title: t.remove,
      cell: (row) => (
        <Button small aria-label={`${t.remove} ${nameOf(row)}`} onClick={() => onRemove(row)}>
          {t.remove}
        </Button>
      ),
    },
  ];
}
