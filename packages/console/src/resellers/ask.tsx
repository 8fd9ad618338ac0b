import { useState } from 'preact/hooks';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';

interface Given {
  readonly title: string;
  readonly lead: string;
  /** The server's name of what is asked for; without it only a yes is. */
  readonly field?: string;
  readonly label?: string;
  readonly hint?: string;
  readonly value: string;
  /** What the button does, with what is typed. */
  readonly verb: string | ((text: string) => string);
  readonly isDanger?: boolean;
  readonly said: string;
  readonly send: (text: string) => Promise<void>;
  readonly onClose: () => void;
}

/** One thing is asked for, and then it is done. */
export function Ask({ title, lead, field, label = '', hint, value, verb, isDanger, said, send, onClose }: Given) {
  const [text, setText] = useState(value);
  const { busy, trouble, act } = useAct();
  const submit = () =>
    act(async () => {
      await send(text.trim());
      toast(said);
      onClose();
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{lead}</p>
      <Form onSubmit={() => void submit()} trouble={trouble} labels={field ? { [field]: label } : {}}>
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
