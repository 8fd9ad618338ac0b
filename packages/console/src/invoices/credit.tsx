import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { amountIn } from '../parts/amount.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Checkbox, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { sumOf } from '../parts/money.tsx';
import { useSend } from '../parts/send.ts';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

interface Given {
  readonly invoice: Shape<'Invoice'>;
  readonly onClose: () => void;
}

/** Takes an invoice back, whole or in part. */
export function Credit({ invoice, onClose }: Given) {
  const w = words();
  const draft = useDraft(`credit/${invoice.invoice_id}`, { amount: '', reason: '', reissue: false });
  const { busy, trouble, send } = useSend(draft);
  const { amount, reason, reissue } = draft.value;
  const sum = sumOf(amount, invoice.currency);
  const submit = () => {
    const body = { reason: reason.trim(), ...(amount.trim() ? { amount: amountIn(amount) } : {}), reissue };
    const path = { invoice_id: invoice.invoice_id };
    return send(
      (manner) => call('post', '/invoices/{invoice_id}/credit_note', { path, body }, manner),
      async () => {
        await changed('/invoices', '/customers', '/account');
        toast(w.credited);
        onClose();
      },
    );
  };
  return (
    <Dialog title={w.creditTitle(invoice.number ?? '')} onClose={onClose}>
      <p>{w.creditText}</p>
      <Form
        onSubmit={() => void submit()}
        trouble={trouble}
        labels={{ amount: w.amount(invoice.currency), reason: w.reason, reissue: w.reissue }}
      >
        <TextField
          name="reason"
          label={w.reason}
          hint={w.reasonHint}
          maxLength={500}
          value={reason}
          onText={(next) => draft.put({ reason: next })}
        />
        <TextField
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          isOptional
          label={w.amount(invoice.currency)}
          hint={w.amountHint}
          value={amount}
          onText={(next) => draft.put({ amount: next })}
        />
        <Checkbox
          name="reissue"
          label={w.reissue}
          checked={reissue}
          onChange={(next) => draft.put({ reissue: next })}
        />
        <div class="actions">
          <Button kind="danger" type="submit" busy={busy}>
            {sum ? w.creditFor(sum) : w.credit}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
