import type { ComponentChildren } from 'preact';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';
import { factorsChanged } from './factors.ts';
import { words } from './words.ts';

interface Given {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Takes a factor away, after saying what that means. */
export function Remove({ title, children, remove, onClose }: Given) {
  const w = words();
  const { busy, trouble, act } = useAct();
  const submit = async () => {
    await remove();
    await factorsChanged();
    toast(w.removed);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => void act(submit)} trouble={trouble}>
        <p>{children}</p>
        <div class="actions">
          <Button kind="danger" type="submit" busy={busy}>
            {w.remove}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
