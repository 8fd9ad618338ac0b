import type { ComponentChildren } from 'preact';
import { useAct } from '../components/act.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { messages as common } from '../messages/common.ts';
import { factorsChanged } from './factors.ts';
import { messages } from './messages.ts';

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Removes a factor after a confirmation. */
export function Remove({ title, children, remove, onClose }: Props) {
  const t = messages();
  const { busy, error, act } = useAct();
  const submit = async () => {
    await remove();
    await factorsChanged();
    toast(t.removed);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => void act(submit)} error={error}>
        <p>{children}</p>
        <div class="actions">
          <Button kind="danger" type="submit" busy={busy}>
            {t.remove}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
