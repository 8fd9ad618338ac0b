import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useSend } from '../parts/send.ts';
import { words as common } from '../words/words.ts';
import { KeyFields } from './fields.tsx';
import { emptyDraft, sentOf } from './key-draft.ts';
import { words } from './words.ts';

interface Given {
  readonly onMade: (made: Shape<'CreatedKey'>) => void;
  readonly onClose: () => void;
}

export function MakeKey({ onMade, onClose }: Given) {
  const w = words();
  const draft = useDraft('keys/new', emptyDraft());
  const { busy, trouble, send } = useSend(draft);
  const submit = () => {
    const { expires } = draft.value;
    const body = { ...sentOf(draft.value), ...(expires ? { expires_at: `${expires}T00:00:00Z` } : {}) };
    return send(
      (manner) => call('post', '/account/keys', { body }, manner),
      async (made) => {
        await changed('/account/keys');
        onMade(made.body);
      },
    );
  };
  const labels = { label: w.label, ip_whitelist: w.whitelist, scopes: w.scopes, expires_at: w.expires };
  return (
    <Dialog title={w.make} onClose={onClose}>
      <Form onSubmit={() => void submit()} trouble={trouble} labels={labels}>
        <KeyFields draft={draft.value} onDraft={draft.put} />
        <TextField
          name="expires_at"
          type="date"
          label={w.expires}
          isOptional
          value={draft.value.expires}
          onText={(expires) => draft.put({ expires })}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {w.make}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
