import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment } from '../components/moment.tsx';
import { Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';
import { choiceOf } from './role-draft.ts';

type Invitation = Schema<'UserInvitation'>;

/** Open invitations, hidden if there are none. */
export function Invitations() {
  const t = messages();
  const open = useResource('/user_invitations', {});
  if (open.error) return <ErrorBanner error={open.error} onRetry={open.refetch} />;
  if (!open.data?.length) return null;
  return (
    <Card title={t.invitations}>
      <Table
        label={t.invitations}
        rows={open.data}
        keyOf={(invitation) => invitation.user_invitation_id}
        empty={null}
        columns={[
          { key: 'email', title: t.email, isTitle: true, cell: ({ email }) => email },
          { key: 'role', title: t.role, cell: (invitation) => t.choice[choiceOf(invitation)] },
          { key: 'until', title: t.until, cell: ({ expires_at }) => <Moment at={expires_at} withTime /> },
          ...(may('account:write')
            ? [{ key: 'do', title: t.verbs, cell: (invitation: Invitation) => <Withdraw of={invitation} /> }]
            : []),
        ]}
      />
    </Card>
  );
}

function Withdraw({ of }: { readonly of: Invitation }) {
  const t = messages();
  const { busy, error, perform } = useSubmit();
  const submit = async () => {
    const path = { user_invitation_id: of.user_invitation_id };
    await call('delete', '/user_invitations/{user_invitation_id}', { path });
    await invalidate('/user_invitations');
    toast(t.withdrawn);
  };
  return (
    <>
      <Button small busy={busy} onClick={() => void perform(submit)}>
        {t.withdraw}
      </Button>
      {error && <ErrorBanner error={error} />}
    </>
  );
}
