import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../api/error.ts';
import { messages } from '../messages/common.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';

interface Props {
  readonly title: string;
  /** The consequence of the action. */
  readonly children: ComponentChildren;
  /** The text to type, such as the domain name. */
  readonly text: string;
  readonly verb: string;
  readonly busy?: boolean;
  readonly error?: ApiError | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** For actions that cannot be undone: the user types the name to confirm. */
export function ConfirmTyped({ title, children, text, verb, busy, error, onConfirm, onClose }: Props) {
  const t = messages();
  const [typed, setTyped] = useState('');
  const isSame = typed.trim().toLowerCase() === text.toLowerCase();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => isSame && onConfirm()} error={error}>
        <div>{children}</div>
        <TextField name="typed" label={t.typeToConfirm(text)} value={typed} onText={setTyped} autoComplete="off" />
        <div class="actions">
          <Button kind="danger" type="submit" disabled={!isSame} busy={busy}>
            {verb}
          </Button>
          <Button onClick={onClose}>{t.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
