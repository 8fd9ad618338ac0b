import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useSend } from '../components/send.ts';
import { toast } from '../components/toast.tsx';
import { useDraft } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import { messages } from './messages.ts';
import { emptyParty, PartyFields } from './party-fields.tsx';

interface Props {
  readonly customerId: string;
  readonly onMade: (contact: Schema<'Contact'>) => void;
  readonly onClose: () => void;
}

export function MakeContact({ customerId, onMade, onClose }: Props) {
  const t = messages();
  const draft = useDraft(`customers/${customerId}/contacts/new`, emptyParty);
  const { send, ...sending } = useSend(draft);
  const submit = () => {
    const { state, ...rest } = draft.value;
    const inputs = { path: { customer_id: customerId }, body: { ...rest, ...(state ? { state } : {}) } };
    return send(
      (options) => call('post', '/customers/{customer_id}/contacts', inputs, options),
      async ({ body }) => {
        await invalidate(`/customers/${customerId}/contacts`);
        toast(t.made(body.name));
        onMade(body);
      },
    );
  };
  return (
    <FormDialog
      title={t.makeTitle}
      verb={t.save}
      onClose={onClose}
      onSubmit={() => void submit()}
      sending={sending}
      labels={t.fields}
    >
      <PartyFields value={draft.value} onValue={draft.put} />
    </FormDialog>
  );
}
