import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { EditConflict } from '../components/edit-conflict.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Form } from '../components/form.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { invalidate, useResource, versionOf } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { currentSession } from '../session/current-session.ts';
import { messages } from './messages.ts';
import { draftOfMember, type RoleDraft, sentRole } from './role-draft.ts';
import { RoleFields } from './role-fields.tsx';

export type Member = Schema<'User'>;
export type Verb = 'change' | 'suspend' | 'resume' | 'signOut' | 'resetFactors' | 'remove';

/** The actions available for a user. */
export function verbsOf(member: Member): readonly Verb[] {
  const isSelf = member.user_id === currentSession.value?.person.person_id;
  if (isSelf) return ['change', 'remove'];
  return [
    'change',
    member.suspended_at ? 'resume' : 'suspend',
    ...(member.sessions > 0 ? (['signOut'] as const) : []),
    ...(member.has_factor && !member.factors_end_at ? (['resetFactors'] as const) : []),
    'remove',
  ];
}

interface Props {
  readonly of: Member;
  readonly onClose: () => void;
}

/** Reads the user again, because the list can be outdated. */
export function ChangeRole({ of, onClose }: Props) {
  const t = messages();
  const member = useResource('/users/{user_id}', { path: { user_id: of.user_id } });
  return (
    <Dialog title={t.changeTitle(of.name)} onClose={onClose}>
      {member.error && <ErrorBanner error={member.error} onRetry={member.refetch} />}
      {member.isLoading && <Skeleton />}
      {member.data && <RoleForm of={member.data} version={versionOf(member)} onClose={onClose} />}
    </Dialog>
  );
}

function RoleForm({ of, version, onClose }: Props & { readonly version: string | undefined }) {
  const t = messages();
  const address = `/users/${of.user_id}`;
  const draft = useChangeDraft(address, draftOfMember(of), version);
  const { busy, error, perform } = useSubmit(undefined, address);
  const close = () => {
    draft.clear();
    onClose();
  };
  const submit = async () => {
    const path = { user_id: of.user_id };
    await call('put', '/users/{user_id}', { path, body: sentRole(draft.value) }, ifMatch(draft));
    close();
    toast(t.changed);
    await invalidate('/users');
  };
  const text = (role: RoleDraft) => [sentRole(role).role, ...(sentRole(role).scopes ?? [])].join(', ');
  return (
    <Form
      onSubmit={() => void perform(submit)}
      error={draft.others ? undefined : error}
      labels={{ role: t.role, scopes: t.role }}
    >
      <EditConflict draft={draft} of={[{ label: t.role, text }]} />
      <RoleFields draft={draft.value} onDraft={draft.put} />
      <p class="faint">{t.changeText}</p>
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!!draft.others}>
          {t.save}
        </Button>
        <Button onClick={close}>{common().cancel}</Button>
      </div>
    </Form>
  );
}

const acts = {
  suspend: (path: { user_id: string }) => call('put', '/users/{user_id}', { path, body: { suspended: true } }),
  resume: (path: { user_id: string }) => call('put', '/users/{user_id}', { path, body: { suspended: false } }),
  signOut: (path: { user_id: string }) => call('delete', '/users/{user_id}/sessions', { path }),
  resetFactors: (path: { user_id: string }) => call('delete', '/users/{user_id}/factors', { path }),
  remove: (path: { user_id: string }) => call('delete', '/users/{user_id}', { path }),
};

/** Describes the effect and asks for confirmation. */
export function ConfirmVerb({ of, verb, onClose }: Props & { readonly verb: Exclude<Verb, 'change'> }) {
  const t = messages();
  const submit = async () => {
    await acts[verb]({ user_id: of.user_id });
    await invalidate('/users');
    toast(t.doneText[verb]);
    onClose();
  };
  return (
    <ActDialog
      title={t.confirmTitle[verb](of.name)}
      verb={t.verb[verb]}
      onClose={onClose}
      act={submit}
      isDanger={verb !== 'resume'}
    >
      <p>{t.confirmText[verb]}</p>
    </ActDialog>
  );
}
