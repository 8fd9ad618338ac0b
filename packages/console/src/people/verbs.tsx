import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { changed } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { who } from '../session/who.ts';
import { words as common } from '../words/words.ts';
import { draftOfMember, sentRole } from './role-draft.ts';
import { RoleFields } from './role-fields.tsx';
import { words } from './words.ts';

export type Member = Shape<'Member'>;
export type Verb = 'change' | 'suspend' | 'resume' | 'signOut' | 'resetFactors' | 'remove';

/** What may be done to somebody as it stands now. */
export function verbsOf(member: Member): readonly Verb[] {
  const isSelf = member.person_id === who.value?.person.person_id;
  if (isSelf) return ['change', 'remove'];
  return [
    'change',
    member.suspended_at ? 'resume' : 'suspend',
    ...(member.sessions > 0 ? (['signOut'] as const) : []),
    ...(member.has_factor && !member.factors_end_at ? (['resetFactors'] as const) : []),
    'remove',
  ];
}

interface Given {
  readonly of: Member;
  readonly onClose: () => void;
}

export function ChangeRole({ of, onClose }: Given) {
  const w = words();
  const [draft, setDraft] = useState(() => draftOfMember(of));
  const { busy, trouble, act } = useAct();
  const submit = async () => {
    await call('put', '/people/{person_id}', { path: { person_id: of.person_id }, body: sentRole(draft) });
    await changed('/people');
    toast(w.changed);
    onClose();
  };
  return (
    <Dialog title={w.changeTitle(of.name)} onClose={onClose}>
      <Form onSubmit={() => void act(submit)} trouble={trouble} labels={{ role: w.role, scopes: w.role }}>
        <RoleFields draft={draft} onDraft={(change) => setDraft((before) => ({ ...before, ...change }))} />
        <p class="faint">{w.changeText}</p>
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

const acts = {
  suspend: (path: { person_id: string }) => call('put', '/people/{person_id}', { path, body: { suspended: true } }),
  resume: (path: { person_id: string }) => call('put', '/people/{person_id}', { path, body: { suspended: false } }),
  signOut: (path: { person_id: string }) => call('delete', '/people/{person_id}/sessions', { path }),
  resetFactors: (path: { person_id: string }) => call('delete', '/people/{person_id}/factors', { path }),
  remove: (path: { person_id: string }) => call('delete', '/people/{person_id}', { path }),
};

/** Says in a sentence what will happen, then does it. */
export function Ask({ of, verb, onClose }: Given & { readonly verb: Exclude<Verb, 'change'> }) {
  const w = words();
  const { busy, trouble, act } = useAct();
  const submit = async () => {
    await acts[verb]({ person_id: of.person_id });
    await changed('/people');
    toast(w.doneText[verb]);
    onClose();
  };
  return (
    <Dialog title={w.askTitle[verb](of.name)} onClose={onClose}>
      <Form onSubmit={() => void act(submit)} trouble={trouble}>
        <p>{w.askText[verb]}</p>
        <div class="actions">
          <Button kind={verb === 'resume' ? 'primary' : 'danger'} type="submit" busy={busy}>
            {w.verb[verb]}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
