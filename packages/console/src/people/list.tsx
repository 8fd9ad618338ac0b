import './people.css';
import { useState } from 'preact/hooks';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Badge } from '../parts/light.tsx';
import { Menu } from '../parts/menu.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { may, who } from '../session/who.ts';
import { Invitations } from './invitations.tsx';
import { HandOver, Invite, type Invited } from './invite.tsx';
import { choiceOf } from './role-draft.ts';
import { SignInRules } from './rules.tsx';
import { Ask, ChangeRole, type Member, type Verb, verbsOf } from './verbs.tsx';
import { words } from './words.ts';

type Open = { kind: 'invite' } | { kind: 'invited'; of: Invited } | { kind: Verb; of: Member };

export default function PeopleList() {
  const w = words();
  const people = useResource('/people', {});
  const [open, setOpen] = useState<Open>();
  const isWriter = may('account:write');
  return (
    <>
      <PageHead
        title={w.people}
        lead={w.lead}
        actions={
          isWriter && (
            <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'invite' })}>
              {w.invite}
            </Button>
          )
        }
      />
      <div class="stack">
        <Table
          label={w.people}
          rows={people.data}
          keyOf={(member) => member.person_id}
          trouble={people.trouble}
          onAgain={people.again}
          empty={<Empty title={w.none}>{w.noneText}</Empty>}
          columns={[
            { key: 'name', title: w.name, isTitle: true, cell: (member) => <Name of={member} /> },
            { key: 'role', title: w.role, cell: (member) => <Role of={member} /> },
            { key: 'factor', title: w.factor, cell: (member) => <Factor of={member} /> },
            { key: 'seen', title: w.seen, cell: (member) => <Seen of={member} /> },
            ...(isWriter
              ? [{ key: 'do', title: w.verbs, cell: (member: Member) => <Verbs of={member} onOpen={setOpen} /> }]
              : []),
          ]}
        />
        <Invitations />
        <SignInRules />
      </div>
      <Opened open={open} onOpen={setOpen} />
    </>
  );
}

const Name = ({ of }: { readonly of: Member }) => (
  <div>
    {of.name} {of.person_id === who.value?.person.person_id && <Badge tone="plain">{words().you}</Badge>}
    {of.name !== of.email && <p class="faint member-email">{of.email}</p>}
  </div>
);

function Role({ of }: { readonly of: Member }) {
  const w = words();
  const choice = choiceOf(of);
  return (
    <div>
      {w.choice[choice]} {of.suspended_at && <Badge tone="bad">{w.suspended}</Badge>}
      {choice === 'chosen' && <code class="member-scopes">{of.scopes.join(' ')}</code>}
    </div>
  );
}

function Factor({ of }: { readonly of: Member }) {
  const w = words();
  if (!of.has_factor) return <Badge tone="warn">{w.noFactor}</Badge>;
  if (!of.factors_end_at) return <Badge tone="good">{w.hasFactor}</Badge>;
  return (
    <div>
      {w.ends} <Moment at={of.factors_end_at} withTime />
    </div>
  );
}

function Seen({ of }: { readonly of: Member }) {
  const w = words();
  return (
    <div>
      {of.last_seen_at ? <Moment at={of.last_seen_at} withTime /> : <span class="faint">{w.never}</span>}
      {of.sessions > 0 && <p class="faint">{w.sessions(of.sessions)}</p>}
    </div>
  );
}

function Verbs({ of, onOpen }: { readonly of: Member; readonly onOpen: (open: Open) => void }) {
  const w = words();
  // Who may do more than oneself is not one's to manage.
  if (!of.scopes.every((scope) => may(scope))) return null;
  return (
    <Menu
      label={w.actions(of.name)}
      look="button quiet small"
      items={verbsOf(of).map((kind) => ({
        key: kind,
        label: w.verb[kind],
        isDanger: kind === 'remove' || kind === 'resetFactors',
        act: () => onOpen({ kind, of }),
      }))}
    >
      <Icon name="more" />
    </Menu>
  );
}

function Opened({ open, onOpen }: { readonly open: Open | undefined; readonly onOpen: (open?: Open) => void }) {
  const onClose = () => onOpen(undefined);
  if (!open) return null;
  switch (open.kind) {
    case 'invite':
      return <Invite onInvited={(of) => onOpen({ kind: 'invited', of })} onClose={onClose} />;
    case 'invited':
      return <HandOver of={open.of} onDone={onClose} />;
    case 'change':
      return <ChangeRole of={open.of} onClose={onClose} />;
    default:
      return <Ask of={open.of} verb={open.kind} onClose={onClose} />;
  }
}
