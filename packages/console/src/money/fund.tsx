import { useDraft } from '../data/draft.ts';
import { amountIn } from '../parts/amount.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { sumOf } from '../parts/money.tsx';
import { useSend } from '../parts/send.ts';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

interface Given {
  /** What the draft is kept under. */
  readonly of: string;
  readonly name: string;
  readonly currency: string;
  readonly send: (body: { amount: string; description: string }, idempotencyKey: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Money that came in is written down, for a customer or a sub-reseller. The button says how much. */
export function Fund({ of, name, currency, send, onClose }: Given) {
  const w = words();
  const draft = useDraft(`fund/${of}`, { amount: '', description: '' });
  const { busy, trouble, send: sendDraft } = useSend(draft);
  const { amount, description } = draft.value;
  const sum = sumOf(amount, currency);
  const submit = () =>
    sendDraft(
      ({ idempotencyKey }) => send({ amount: amountIn(amount), description }, idempotencyKey),
      () => {
        toast(w.funded);
        onClose();
      },
    );
  return (
    <Dialog title={w.fundTitle(name)} onClose={onClose}>
      <p>{w.fundText}</p>
      <Form onSubmit={() => void submit()} trouble={trouble} labels={{ amount: w.amount, description: w.what }}>
        <TextField
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          label={`${w.amount} (${currency})`}
          value={amount}
          onText={(next) => draft.put({ amount: next })}
        />
        <TextField
          name="description"
          label={w.what}
          hint={w.fundHint}
          value={description}
          onText={(next) => draft.put({ description: next })}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {sum ? w.fundFor(sum) : w.fund}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
