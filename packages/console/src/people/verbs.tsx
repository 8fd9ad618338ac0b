import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { changed, useResource, versionOf } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Form } from '../parts/form.tsx';
import { Meanwhile } from '../parts/meanwhile.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { who } from '../session/who.ts';
import { words as common } from '../words/words.ts';
import { draftOfMember, type RoleDraft, sentRole } from './role-draft.ts';
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

/** As it is now: what the list said may be older. */
export function ChangeRole({ of, onClose }: Given) {
  const w = words();
  const member = useResource('/people/{person_id}', { path: { person_id: of.person_id } });
  return (
    <Dialog title={w.changeTitle(of.name)} onClose={onClose}>
      {member.trouble && <TroubleNote trouble={member.trouble} onAgain={member.again} />}
      {member.isLoading && <Waiting />}
      {member.data && <RoleForm of={member.data} version={versionOf(member)} onClose={onClose} />}
    </Dialog>
  );
}

function RoleForm({ of, version, onClose }: Given & { readonly version: string | undefined }) {
  const w = words();
  const address = `/people/${of.person_id}`;
  const draft = useChangeDraft(address, draftOfMember(of), version);
  const { busy, trouble, act } = useAct(undefined, address);
  const close = () => {
    draft.clear();
    onClose();
  };
  const submit = async () => {
    const path = { person_id: of.person_id };
    await call('put', '/people/{person_id}', { path, body: sentRole(draft.value) }, ifMatch(draft));
    close();
    toast(w.changed);
    await changed('/people');
  };
  const text = (role: RoleDraft) => [sentRole(role).role, ...(sentRole(role).scopes ?? [])].join(', ');
  return (
    <Form
      onSubmit={() => void act(submit)}
      trouble={draft.others ? undefined : trouble}
      labels={{ role: w.role, scopes: w.role }}
    >
      <Meanwhile draft={draft} of={[{ label: w.role, text }]} />
      <RoleFields draft={draft.value} onDraft={draft.put} />
      <p class="faint">{w.changeText}</p>
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!!draft.others}>
          {w.save}
        </Button>
        <Button onClick={close}>{common().cancel}</Button>
      </div>
    </Form>
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
