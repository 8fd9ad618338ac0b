import { call } from '../api/call.ts';
import type { ResponseBody } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { Moment } from '../components/moment.tsx';
import { useDraft } from '../data/draft.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';
import { emptyRole, offered, sentRole } from './role-draft.ts';
import { RoleFields } from './role-fields.tsx';

export type Invited = ResponseBody<'/users', 'post'>;

interface Props {
  readonly onInvited: (invited: Invited) => void;
  readonly onClose: () => void;
}

export function Invite({ onInvited, onClose }: Props) {
  const t = messages();
  const first = offered().includes(emptyRole.choice) ? emptyRole : { ...emptyRole, choice: 'chosen' as const };
  const draft = useDraft('people/invite', first);
  const security = useResource('/account/security', may('account:read') ? {} : undefined);
  const hasApprovals = (security.data?.approvals.length ?? 0) > 0;
  const submit = async () => {
    const body = { email: draft.value.email.trim(), ...sentRole(draft.value) };
    const invited = await call('post', '/users', { body });
    draft.clear();
    await invalidate('/user_invitations');
    onInvited(invited.body);
  };
  return (
    <ActDialog
      title={t.invite}
      verb={t.makeLink}
      onClose={onClose}
      act={submit}
      labels={{ email: t.email, role: t.role, scopes: t.role }}
    >
      <TextField
        name="email"
        type="email"
        autoComplete="off"
        label={t.email}
        value={draft.value.email}
        onText={(email) => draft.put({ email })}
      />
      <RoleFields draft={draft.value} onDraft={draft.put} />
      {hasApprovals && <p class="faint">{t.approvalHint}</p>}
    </ActDialog>
  );
}

/** Shows the invitation link once. Only its button closes it. */
export function InvitationLink({ of, onDone }: { readonly of: Invited; readonly onDone: () => void }) {
  const t = messages();
  return (
    <Dialog title={of.code === null ? t.mailedTo(of.email) : t.sendLinkTo(of.email)}>
      <p>{of.code === null ? t.mailedText : t.sendLinkText}</p>
      {of.code !== null && (
        <p class="secret">
          <CopyText text={`${location.origin}/app/welcome#code=${of.code}`} />
        </p>
      )}
      <p class="faint">
        {t.until} <Moment at={of.expires_at} withTime />
      </p>
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {of.code === null ? t.mailedDone : t.done}
        </Button>
      </div>
    </Dialog>
  );
}
