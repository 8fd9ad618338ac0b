import type { ComponentChildren } from 'preact';
import { messages } from '../messages/common.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { type Submission, useSubmit } from './use-submit.ts';

interface Props {
  readonly title: string;
  /** The label of the button that sends the form. */
  readonly verb: string;
  readonly onClose: () => void;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly isDanger?: boolean | undefined;
  readonly isReady?: boolean | undefined;
  readonly size?: 'small' | 'large' | undefined;
  readonly children?: ComponentChildren;
}

interface Sent extends Props {
  readonly onSubmit: () => void;
  readonly sending: Pick<Submission, 'busy' | 'error'>;
}

/** A dialog with one form, which is sent or cancelled. */
export function FormDialog(props: Sent) {
  const { title, verb, sending, onSubmit, onClose, labels = {}, isDanger, isReady = true, size = 'small' } = props;
  return (
    <Dialog title={title} onClose={onClose} size={size}>
      <Form onSubmit={onSubmit} error={sending.error} labels={labels}>
        {props.children}
        <div class="actions">
          <Button kind={isDanger ? 'danger' : 'primary'} type="submit" busy={sending.busy} disabled={!isReady}>
            {verb}
          </Button>
          <Button onClick={onClose}>{messages().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The same for one call without a draft. */
export function ActDialog({ act, ...form }: Props & { readonly act: () => Promise<void> }) {
  const acting = useSubmit();
  return <FormDialog {...form} sending={acting} onSubmit={() => void acting.perform(act)} />;
}
