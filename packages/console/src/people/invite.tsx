import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/shapes.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { words as common } from '../words/words.ts';
import { emptyRole, offered, sentRole } from './role-draft.ts';
import { RoleFields } from './role-fields.tsx';
import { words } from './words.ts';

export type Invited = AnswerOf<'/people', 'post'>;

interface Given {
  readonly onInvited: (invited: Invited) => void;
  readonly onClose: () => void;
}

export function Invite({ onInvited, onClose }: Given) {
  const w = words();
  const first = offered().includes(emptyRole.choice) ? emptyRole : { ...emptyRole, choice: 'chosen' as const };
  const draft = useDraft('people/invite', first);
  const { busy, trouble, act } = useAct();
  const submit = async () => {
    const body = { email: draft.value.email.trim(), ...sentRole(draft.value) };
    const invited = await call('post', '/people', { body });
    draft.clear();
    await changed('/invited_people');
    onInvited(invited.body);
  };
  return (
    <Dialog title={w.invite} onClose={onClose}>
      <Form
        onSubmit={() => void act(submit)}
        trouble={trouble}
        labels={{ email: w.email, role: w.role, scopes: w.role }}
      >
        <TextField
          name="email"
          type="email"
          autoComplete="off"
          label={w.email}
          value={draft.value.email}
          onText={(email) => draft.put({ email })}
        />
        <RoleFields draft={draft.value} onDraft={draft.put} />
        <p class="faint">{w.sameHand}</p>
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {w.makeLink}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The one time that the link is seen. Left by its button only. */
export function HandOver({ of, onDone }: { readonly of: Invited; readonly onDone: () => void }) {
  const w = words();
  return (
    <Dialog title={of.code === null ? w.mailedTo(of.email) : w.handOver(of.email)}>
      <p>{of.code === null ? w.mailedText : w.handOverText}</p>
      {of.code !== null && (
        <p class="secret">
          <CopyText text={`${location.origin}/app/welcome#code=${of.code}`} />
        </p>
      )}
      <p class="faint">
        {w.until} <Moment at={of.expires_at} withTime />
      </p>
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {of.code === null ? w.mailedDone : w.done}
        </Button>
      </div>
    </Dialog>
  );
}
