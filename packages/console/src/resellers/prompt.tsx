import { useState } from 'preact/hooks';
import { TextField } from '../components/field.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';

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
  const submit = async () => {
    await send(text.trim());
    toast(successText);
    onClose();
  };
  return (
    <ActDialog
      title={title}
      verb={typeof verb === 'string' ? verb : verb(text)}
      isDanger={isDanger}
      act={submit}
      onClose={onClose}
      labels={field ? { [field]: label } : {}}
    >
      <p>{lead}</p>
      {field && <TextField name={field} label={label} hint={hint} autoComplete="off" value={text} onText={setText} />}
    </ActDialog>
  );
}
