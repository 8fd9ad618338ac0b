import type { ComponentChildren } from 'preact';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { messages as common } from '../messages/common.ts';
import { StepLine } from '../operations/step-line.tsx';
import type { Change } from './change.ts';
import { messages } from './messages.ts';

interface Props {
  readonly title: string;
  /** The label of the button. */
  readonly verb: string;
  readonly change: Change;
  readonly isDanger?: boolean;
  readonly isReady?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Confirms a change, then shows its progress. */
export function VerbDialog(props: Props) {
  const { title, verb, change, isDanger, isReady = true, labels, onSubmit, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {change.operationId ? (
        <OperationProgress id={change.operationId} isOwn={!change.error} onClose={onClose} />
      ) : (
        <Form onSubmit={() => isReady && onSubmit()} error={change.error} labels={labels}>
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

/** The resulting operation, or another one that blocks the change. */
export function OperationProgress({
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
      {!isOwn && <p role="alert">{messages().otherOrderInProgress}</p>}
      <StepLine id={id} />
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          {common().close}
        </Button>
      </div>
    </div>
  );
}
