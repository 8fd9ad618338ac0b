import { Button } from '../parts/button.tsx';
import type { Column } from '../parts/table.tsx';
import { may } from '../session/who.ts';
import { words } from './words.ts';

/** The column that takes a row away, for who may. */
export function removal<Row>(nameOf: (row: Row) => string, onRemove: (row: Row) => void): readonly Column<Row>[] {
  const w = words();
  if (!may('domains:write')) return [];
  return [
    {
      key: 'do',
      title: w.remove,
      cell: (row) => (
        <Button small aria-label={`${w.remove} ${nameOf(row)}`} onClick={() => onRemove(row)}>
          {w.remove}
        </Button>
      ),
    },
  ];
}
