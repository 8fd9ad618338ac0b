import './users.css';
import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { useResource } from '../data/resource.ts';
import { currentSession, may } from '../session/current-session.ts';
import { Invitations } from './invitations.tsx';
import { InvitationLink, Invite, type Invited } from './invite.tsx';
import { messages } from './messages.ts';
import { choiceOf } from './role-draft.ts';
import { SignInRules } from './rules.tsx';
import { ChangeRole, ConfirmVerb, type Member, type Verb, verbsOf } from './verbs.tsx';

type Open = { kind: 'invite' } | { kind: 'invited'; of: Invited } | { kind: Verb; of: Member };

export default function UserList() {
  const t = messages();
  const users = useResource('/users', {});
  const [open, setOpen] = useState<Open>();
  const isWriter = may('account:write');
  return (
    <>
      <PageHead
        title={t.users}
        lead={t.lead}
        actions={
          isWriter && (
            <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'invite' })}>
              {t.invite}
            </Button>
          )
        }
      />
      <div class="stack">
        <Table
          label={t.users}
          rows={users.data}
          keyOf={(member) => member.user_id}
          error={users.error}
          onRetry={users.refetch}
          empty={<Empty title={t.none}>{t.noneText}</Empty>}
          columns={[
            { key: 'name', title: t.name, isTitle: true, cell: (member) => <Name of={member} /> },
            { key: 'role', title: t.role, cell: (member) => <Role of={member} /> },
            { key: 'factor', title: t.factor, cell: (member) => <Factor of={member} /> },
            { key: 'seen', title: t.lastActive, cell: (member) => <LastActive of={member} /> },
            ...(isWriter
              ? [{ key: 'do', title: t.verbs, cell: (member: Member) => <Verbs of={member} onOpen={setOpen} /> }]
              : []),
          ]}
        />
        <Invitations />
        <SignInRules />
      </div>
      <UserDialogs open={open} onOpen={setOpen} />
    </>
  );
}

const Name = ({ of }: { readonly of: Member }) => (
  <div>
    {of.name} {of.user_id === currentSession.value?.person.person_id && <Badge tone="plain">{messages().you}</Badge>}
    {of.name !== of.email && <p class="faint member-email">{of.email}</p>}
  </div>
);

function Role({ of }: { readonly of: Member }) {
  const t = messages();
  const choice = choiceOf(of);
  return (
    <div>
      {t.choice[choice]} {of.suspended_at && <Badge tone="bad">{t.suspended}</Badge>}
      {choice === 'chosen' && <code class="member-scopes">{of.scopes.join(' ')}</code>}
    </div>
  );
}

function Factor({ of }: { readonly of: Member }) {
  const t = messages();
  if (!of.has_factor) return <Badge tone="warn">{t.noFactor}</Badge>;
  if (!of.factors_end_at) return <Badge tone="good">{t.hasFactor}</Badge>;
  return (
    <div>
      {t.ends} <Moment at={of.factors_end_at} withTime />
    </div>
  );
}

function LastActive({ of }: { readonly of: Member }) {
  const t = messages();
  return (
    <div>
      {of.last_seen_at ? <Moment at={of.last_seen_at} withTime /> : <span class="faint">{t.never}</span>}
      {of.sessions > 0 && <p class="faint">{t.sessions(of.sessions)}</p>}
    </div>
  );
}

function Verbs({ of, onOpen }: { readonly of: Member; readonly onOpen: (open: Open) => void }) {
  const t = messages();
  // Users with more permissions cannot be managed.
  if (!of.scopes.every((scope) => may(scope))) return null;
  return (
    <Menu
      label={t.actions(of.name)}
      className="button quiet small"
      items={verbsOf(of).map((kind) => ({
        key: kind,
        label: t.verb[kind],
        isDanger: kind === 'remove' || kind === 'resetFactors',
        act: () => onOpen({ kind, of }),
      }))}
    >
      <Icon name="more" />
    </Menu>
  );
}

function UserDialogs({ open, onOpen }: { readonly open: Open | undefined; readonly onOpen: (open?: Open) => void }) {
  const onClose = () => onOpen(undefined);
  if (!open) return null;
  switch (open.kind) {
    case 'invite':
      return <Invite onInvited={(of) => onOpen({ kind: 'invited', of })} onClose={onClose} />;
    case 'invited':
      return <InvitationLink of={open.of} onDone={onClose} />;
    case 'change':
      return <ChangeRole of={open.of} onClose={onClose} />;
    default:
      return <ConfirmVerb of={open.of} verb={open.kind} onClose={onClose} />;
  }
}
