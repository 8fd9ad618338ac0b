import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { changed, useResource } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { choiceOf } from './role-draft.ts';
import { words } from './words.ts';

type Invitation = Shape<'PersonInvitation'>;

/** Those that nobody has used yet. Absent where there are none: most days. */
export function Invitations() {
  const w = words();
  const open = useResource('/invited_people', {});
  if (open.trouble) return <TroubleNote trouble={open.trouble} onAgain={open.again} />;
  if (!open.data?.length) return null;
  return (
    <Card title={w.invitations}>
      <Table
        label={w.invitations}
        rows={open.data}
        keyOf={(invitation) => invitation.person_invitation_id}
        empty={null}
        columns={[
          { key: 'email', title: w.email, isTitle: true, cell: ({ email }) => email },
          { key: 'role', title: w.role, cell: (invitation) => w.choice[choiceOf(invitation)] },
          { key: 'until', title: w.until, cell: ({ expires_at }) => <Moment at={expires_at} withTime /> },
          ...(may('account:write')
            ? [{ key: 'do', title: w.verbs, cell: (invitation: Invitation) => <Withdraw of={invitation} /> }]
            : []),
        ]}
      />
    </Card>
  );
}

function Withdraw({ of }: { readonly of: Invitation }) {
  const w = words();
  const { busy, trouble, act } = useAct();
  const submit = async () => {
    const path = { person_invitation_id: of.person_invitation_id };
    await call('delete', '/invited_people/{person_invitation_id}', { path });
    await changed('/invited_people');
    toast(w.withdrawn);
  };
  return (
    <>
      <Button small busy={busy} onClick={() => void act(submit)}>
        {w.withdraw}
      </Button>
      {trouble && <TroubleNote trouble={trouble} />}
    </>
  );
}
