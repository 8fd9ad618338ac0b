import type { ComponentChildren } from 'preact';
import { StepLine } from '../operations/step-line.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { words as common } from '../words/words.ts';
import type { Change } from './change.ts';
import { words } from './words.ts';

interface Given {
  readonly title: string;
  /** On the button: what it does. */
  readonly verb: string;
  readonly change: Change;
  readonly isDanger?: boolean;
  readonly isReady?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Asks before a change; then the same place shows how far it got. */
export function VerbDialog(given: Given) {
  const { title, verb, change, isDanger, isReady = true, labels, onSubmit, onClose, children } = given;
  return (
    <Dialog title={title} onClose={onClose}>
      {change.operationId ? (
        <Following id={change.operationId} isOwn={!change.trouble} onClose={onClose} />
      ) : (
        <Form onSubmit={() => isReady && onSubmit()} trouble={change.trouble} labels={labels}>
          {children}
          <div class="actions">
            <Button kind={isDanger ? 'danger' : 'primary'} type="submit" busy={change.busy} disabled={!isReady}>
              {verb}
            </Button>
            <Button onClick={onClose}>{common().cancel}</Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

/** An order that came of it, or another one that stands in the way. */
export function Following({
  id,
  isOwn,
  onClose,
}: {
  readonly id: string;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}) {
  return (
    <div class="step-line">
      {!isOwn && <p role="alert">{words().inTheWay}</p>}
      <StepLine id={id} />
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          {common().close}
        </Button>
      </div>
    </div>
  );
}
