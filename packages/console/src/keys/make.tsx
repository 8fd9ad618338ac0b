import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { TextField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useSend } from '../components/send.ts';
import { useDraft } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import { KeyFields } from './fields.tsx';
import { emptyDraft, sentOf } from './key-draft.ts';
import { messages } from './messages.ts';

interface Props {
  readonly onMade: (made: Schema<'CreatedKey'>) => void;
  readonly onClose: () => void;
}

export function MakeKey({ onMade, onClose }: Props) {
  const t = messages();
  const draft = useDraft('keys/new', emptyDraft());
  const { send, ...sending } = useSend(draft);
  const submit = () => {
    const { expires } = draft.value;
    const body = { ...sentOf(draft.value), ...(expires ? { expires_at: `${expires}T00:00:00Z` } : {}) };
    return send(
      (options) => call('post', '/account/keys', { body }, options),
      async (made) => {
        await invalidate('/account/keys');
        onMade(made.body);
      },
    );
  };
  const labels = { label: t.label, ip_whitelist: t.allowedIps, scopes: t.scopes, expires_at: t.expires };
  return (
    <FormDialog
      title={t.make}
      verb={t.make}
      onClose={onClose}
      onSubmit={() => void submit()}
      sending={sending}
      labels={labels}
    >
      <KeyFields draft={draft.value} onDraft={draft.put} />
      <TextField
        name="expires_at"
        type="date"
        label={t.expires}
        isOptional
        value={draft.value.expires}
        onText={(expires) => draft.put({ expires })}
      />
    </FormDialog>
  );
}
