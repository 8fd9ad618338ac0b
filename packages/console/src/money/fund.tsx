import { amountIn } from '../components/amount.ts';
import { TextField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { sumOf } from '../components/money.tsx';
import { useSend } from '../components/send.ts';
import { toast } from '../components/toast.tsx';
import { useDraft } from '../data/draft.ts';
import { messages } from './messages.ts';

interface Props {
  /** The key of the draft. */
  readonly of: string;
  readonly name: string;
  readonly currency: string;
  readonly send: (body: { amount: string; description: string }, idempotencyKey: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Records a payment from a customer or sub-reseller. The button shows the amount. */
export function Fund({ of, name, currency, send, onClose }: Props) {
  const t = messages();
  const draft = useDraft(`fund/${of}`, { amount: '', description: '' });
  const { send: sendDraft, ...sending } = useSend(draft);
  const { amount, description } = draft.value;
  const sum = /[1-9]/.test(amount) ? sumOf(amount, currency) : undefined;
  const submit = () =>
    sendDraft(
      ({ idempotencyKey }) => send({ amount: amountIn(amount), description }, idempotencyKey),
      () => {
        toast(t.funded);
        onClose();
      },
    );
  return (
    <FormDialog
      title={t.fundTitle(name)}
      verb={sum ? t.fundFor(sum) : t.fund}
      onClose={onClose}
      onSubmit={() => void submit()}
      sending={sending}
      labels={{ amount: t.amount, description: t.description }}
    >
      <p>{t.fundText}</p>
      <TextField
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        label={`${t.amount} (${currency})`}
        value={amount}
        onText={(next) => draft.put({ amount: next })}
      />
      <TextField
        name="description"
        label={t.description}
        hint={t.fundHint}
        value={description}
        onText={(next) => draft.put({ description: next })}
      />
    </FormDialog>
  );
}
