import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { amountIn } from '../components/amount.ts';
import { Checkbox, TextField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { sumOf } from '../components/money.tsx';
import { useSend } from '../components/send.ts';
import { toast } from '../components/toast.tsx';
import { useDraft } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import { messages } from './messages.ts';

interface Props {
  readonly invoice: Schema<'Invoice'>;
  readonly onClose: () => void;
}

export function Credit({ invoice, onClose }: Props) {
  const t = messages();
  const draft = useDraft(`credit/${invoice.invoice_id}`, { amount: '', reason: '', reissue: false });
  const { send, ...sending } = useSend(draft);
  const { amount, reason, reissue } = draft.value;
  const sum = sumOf(amount, invoice.currency);
  const submit = () => {
    const body = { reason: reason.trim(), ...(amount.trim() ? { amount: amountIn(amount) } : {}), reissue };
    const path = { invoice_id: invoice.invoice_id };
    return send(
      (options) => call('post', '/invoices/{invoice_id}/credit_note', { path, body }, options),
      async () => {
        await invalidate('/invoices', '/customers', '/account');
        toast(t.credited);
        onClose();
      },
    );
  };
  return (
    <FormDialog
      title={t.creditTitle(invoice.number ?? '')}
      verb={sum ? t.creditFor(sum) : t.credit}
      onClose={onClose}
      onSubmit={() => void submit()}
      sending={sending}
      labels={{ amount: t.amount(invoice.currency), reason: t.reason, reissue: t.reissue }}
      isDanger
    >
      <p>{t.creditText}</p>
      <TextField
        name="reason"
        label={t.reason}
        hint={t.reasonHint}
        maxLength={500}
        value={reason}
        onText={(next) => draft.put({ reason: next })}
      />
      <TextField
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        isOptional
        label={t.amount(invoice.currency)}
        hint={t.amountHint}
        value={amount}
        onText={(next) => draft.put({ amount: next })}
      />
      <Checkbox name="reissue" label={t.reissue} checked={reissue} onChange={(next) => draft.put({ reissue: next })} />
    </FormDialog>
  );
}
