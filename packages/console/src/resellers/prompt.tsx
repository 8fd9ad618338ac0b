import { useState } from 'preact/hooks';
import { useAct } from '../components/act.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { messages as common } from '../messages/common.ts';

interface Props {
  readonly title: string;
  readonly lead: string;
  /** The name of the field in the API; without it the dialog only asks for confirmation. */
  readonly field?: string;
  readonly label?: string;
  readonly hint?: string;
  readonly value: string;
  /** The button label, which can depend on the input. */
  readonly verb: string | ((text: string) => string);
  readonly isDanger?: boolean;
  readonly successText: string;
  readonly send: (text: string) => Promise<void>;
  readonly onClose: () => void;
}

/** A dialog with one input. */
export function PromptDialog({
  title,
  lead,
  field,
  label = '',
  hint,
  value,
  verb,
  isDanger,
  successText,
  send,
  onClose,
}: Props) {
  const [text, setText] = useState(value);
  const { busy, error, act } = useAct();
  const submit = () =>
    act(async () => {
      await send(text.trim());
      toast(successText);
      onClose();
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{lead}</p>
      <Form onSubmit={() => void submit()} error={error} labels={field ? { [field]: label } : {}}>
        {field && <TextField name={field} label={label} hint={hint} autoComplete="off" value={text} onText={setText} />}
        <div class="actions">
          <Button kind={isDanger ? 'danger' : 'primary'} type="submit" busy={busy}>
            {typeof verb === 'string' ? verb : verb(text)}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
