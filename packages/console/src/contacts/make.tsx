import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { useSend } from '../parts/send.ts';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';
import { emptyParty, PartyFields } from './party-fields.tsx';
import { words } from './words.ts';

interface Given {
  readonly customerId: string;
  readonly onMade: (contact: Shape<'Contact'>) => void;
  readonly onClose: () => void;
}

export function MakeContact({ customerId, onMade, onClose }: Given) {
  const w = words();
  const draft = useDraft(`customers/${customerId}/contacts/new`, emptyParty);
  const { busy, trouble, send } = useSend(draft);
  const submit = () => {
    const { state, ...rest } = draft.value;
    const inputs = { path: { customer_id: customerId }, body: { ...rest, ...(state ? { state } : {}) } };
    return send(
      (manner) => call('post', '/customers/{customer_id}/contacts', inputs, manner),
      async ({ body }) => {
        await changed(`/customers/${customerId}/contacts`);
        toast(w.made(body.name));
        onMade(body);
      },
    );
  };
  return (
    <Dialog title={w.makeTitle} onClose={onClose}>
      <Form onSubmit={() => void submit()} trouble={trouble} labels={w.fields}>
        <PartyFields value={draft.value} onValue={draft.put} />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {w.save}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
