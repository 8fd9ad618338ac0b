import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useSend } from '../components/send.ts';
import { toast } from '../components/toast.tsx';
import { useDraft } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import type { LoadedZone } from './load.ts';
import { messages } from './template-messages.ts';

/** Saves the current zone as a template. The service removes its name. */
export function SaveTemplate({ loaded, onClose }: { readonly loaded: LoadedZone; readonly onClose: () => void }) {
  const t = messages();
  const draft = useDraft(`zones/${loaded.domainId}/save-template`, { name: '', description: '' });
  const { busy, error, send } = useSend(draft);
  const save = () =>
    send(
      (options) =>
        call('post', '/zone_templates', { body: { ...draft.now(), from_domain_id: loaded.domainId } }, options),
      ({ body }) => {
        void invalidate('/zone_templates');
        toast(t.saved(body.name));
        onClose();
      },
    );
  return (
    <Dialog title={t.saveTitle(loaded.origin.slice(0, -1))} onClose={onClose}>
      <Form onSubmit={() => void save()} error={error} labels={{ name: t.name, description: t.description }}>
        <p>{t.saveText}</p>
        <TextField
          name="name"
          label={t.name}
          maxLength={60}
          value={draft.value.name}
          onText={(name) => draft.put({ name })}
        />
        <TextField
          name="description"
          label={t.description}
          isOptional
          maxLength={300}
          value={draft.value.description}
          onText={(description) => draft.put({ description })}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={draft.value.name.trim() === ''}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
