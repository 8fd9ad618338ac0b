import { call } from '../api/call.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useSend } from '../parts/send.ts';
import { toast } from '../parts/toast.tsx';
import type { LoadedZone } from './load.ts';
import { words } from './template-words.ts';

/** The zone as it is served now becomes a template; the service takes its name out. */
export function SaveTemplate({ loaded, onClose }: { readonly loaded: LoadedZone; readonly onClose: () => void }) {
  const w = words();
  const draft = useDraft(`zones/${loaded.domainId}/save-template`, { name: '', description: '' });
  const { busy, trouble, send } = useSend(draft);
  const save = () =>
    send(
      (manner) =>
        call('post', '/zone_templates', { body: { ...draft.now(), from_domain_id: loaded.domainId } }, manner),
      ({ body }) => {
        void changed('/zone_templates');
        toast(w.saved(body.name));
        onClose();
      },
    );
  return (
    <Dialog title={w.saveTitle(loaded.origin.slice(0, -1))} onClose={onClose}>
      <Form onSubmit={() => void save()} trouble={trouble} labels={{ name: w.name, description: w.description }}>
        <p>{w.saveSays}</p>
        <TextField
          name="name"
          label={w.name}
          maxLength={60}
          value={draft.value.name}
          onText={(name) => draft.put({ name })}
        />
        <TextField
          name="description"
          label={w.description}
          isOptional
          maxLength={300}
          value={draft.value.description}
          onText={(description) => draft.put({ description })}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={draft.value.name.trim() === ''}>
            {w.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
