import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Trouble } from '../api/trouble.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';

interface Given {
  readonly title: string;
  /** What will happen, in a sentence. */
  readonly children: ComponentChildren;
  /** What has to be typed, such as the name. */
  readonly text: string;
  readonly verb: string;
  readonly busy?: boolean;
  readonly trouble?: Trouble | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** For what cannot be undone: the name is typed first. */
export function ConfirmTyped({ title, children, text, verb, busy, trouble, onConfirm, onClose }: Given) {
  const w = words();
  const [typed, setTyped] = useState('');
  const isSame = typed.trim().toLowerCase() === text.toLowerCase();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => isSame && onConfirm()} trouble={trouble}>
        <div>{children}</div>
        <TextField name="typed" label={w.typeToConfirm(text)} value={typed} onText={setTyped} autoComplete="off" />
        <div class="actions">
          <Button kind="danger" type="submit" disabled={!isSame} busy={busy}>
            {verb}
          </Button>
          <Button onClick={onClose}>{w.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
