import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import type { Column } from '../components/table.tsx';
import { messages as common } from '../messages/common.ts';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';

interface Props {
  readonly name: string;
  /** The consequence of the removal. */
  readonly text: string;
  readonly onRemove: () => void;
}

function Remove({ name, text, onRemove }: Props) {
  const t = messages();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button small aria-label={`${t.remove} ${name}`} onClick={() => setConfirming(true)}>
        {t.remove}
      </Button>
      {isConfirming && (
        <Dialog title={`${t.remove}: ${name}`} onClose={() => setConfirming(false)}>
          <p>{text}</p>
          <div class="actions">
            <Button
              kind="danger"
              onClick={() => {
                setConfirming(false);
                onRemove();
              }}
            >
              {t.remove}
            </Button>
            <Button onClick={() => setConfirming(false)}>{common().cancel}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** A table column with a button that removes the row after a confirmation. */
export function removal<Row>(
  nameOf: (row: Row) => string,
  text: string,
  onRemove: (row: Row) => void,
): readonly Column<Row>[] {
  if (!may('domains:write')) return [];
  return [
    {
      key: 'do',
      title: messages().actions,
      cell: (row) => <Remove name={nameOf(row)} text={text} onRemove={() => onRemove(row)} />,
    },
  ];
}
