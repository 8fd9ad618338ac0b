import type { ComponentChildren } from 'preact';
import { ActDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';
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
  const submit = async () => {
    await remove();
    await factorsChanged();
    toast(t.removed);
    onClose();
  };
  return (
    <ActDialog title={title} verb={t.remove} onClose={onClose} act={submit} isDanger>
      <p>{children}</p>
    </ActDialog>
  );
}
