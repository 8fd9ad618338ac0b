import './keys.css';
import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Badge } from '../parts/light.tsx';
import { Menu } from '../parts/menu.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { may } from '../session/who.ts';
import { ChangeKey, RevokeKey, RotateKey } from './change.tsx';
import { MakeKey } from './make.tsx';
import { SecretOnce } from './secret-once.tsx';
import { words } from './words.ts';

type Key = Shape<'Key'>;
type Open =
  | { kind: 'make' }
  | { kind: 'made'; made: Shape<'CreatedKey'> }
  | { kind: 'change' | 'rotate' | 'revoke'; of: Key };

const tones = { active: 'good', expired: 'plain', revoked: 'bad' } as const;

export default function KeyList() {
  const w = words();
  const keys = useResource('/account/keys', {});
  const [open, setOpen] = useState<Open>();
  const isWriter = may('account:write');
  const make = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'make' })}>
      {w.make}
    </Button>
  );
  return (
    <>
      <PageHead
        title={w.keys}
        lead={w.lead}
        actions={
          <>
            {make}
            <CopyCurl method="get" address="/v1/account/keys" />
          </>
        }
      />
      <Table
        label={w.keys}
        rows={keys.data}
        keyOf={(key) => key.key_id}
        trouble={keys.trouble}
        onAgain={keys.again}
        empty={
          <Empty title={w.none} action={make}>
            {w.noneText}
          </Empty>
        }
        columns={[
          {
            key: 'label',
            title: w.label,
            isTitle: true,
            cell: (key) => (
              <>
                {key.label} <code class="faint">{key.hint}</code>
              </>
            ),
          },
          {
            key: 'state',
            title: w.standing,
            cell: (key) => <Badge tone={tones[key.status]}>{w.state[key.status]}</Badge>,
          },
          { key: 'whitelist', title: w.whitelist, cell: (key) => <Addresses of={key} /> },
          { key: 'scopes', title: w.scopes, cell: (key) => <Scopes of={key} /> },
          { key: 'last', title: w.lastUse, cell: (key) => <LastUse of={key} /> },
          {
            key: 'expires',
            title: w.expires,
            cell: (key) => (key.expires_at ? <Moment at={key.expires_at} /> : <span class="faint">{w.never}</span>),
          },
          ...(isWriter ? [{ key: 'do', title: w.verbs, cell: (key: Key) => <Verbs of={key} onOpen={setOpen} /> }] : []),
        ]}
      />
      <Opened open={open} onOpen={setOpen} />
    </>
  );
}

const Addresses = ({ of }: { readonly of: Key }) => (
  <ul class="plain-list">
    {of.ip_whitelist.map((entry) => (
      <li key={entry}>
        <code>{entry}</code>
      </li>
    ))}
  </ul>
);

function Scopes({ of }: { readonly of: Key }) {
  const { preset } = words();
  const [only] = of.scopes;
  if (of.scopes.length === 1 && (only === 'full' || only === 'read')) return <>{preset[only]}</>;
  return <code class="scope-words">{of.scopes.join(' ')}</code>;
}

function LastUse({ of }: { readonly of: Key }) {
  const w = words();
  if (!of.last_used_at) return <span class="faint">{w.unused}</span>;
  return (
    <>
      <Moment at={of.last_used_at} withTime /> <code class="faint">{of.last_used_address}</code>
      {of.previous_key_expires_at && (
        <p class="faint">
          {w.oldUntil} <Moment at={of.previous_key_expires_at} withTime />
        </p>
      )}
    </>
  );
}

function Verbs({ of, onOpen }: { readonly of: Key; readonly onOpen: (open: Open) => void }) {
  const w = words();
  if (of.status !== 'active') return null;
  const kinds = ['change', 'rotate', 'revoke'] as const;
  return (
    <Menu
      label={w.actions(of.label)}
      look="button quiet small"
      items={kinds.map((kind) => ({
        key: kind,
        label: w[kind],
        isDanger: kind === 'revoke',
        act: () => onOpen({ kind, of }),
      }))}
    >
      <Icon name="more" />
    </Menu>
  );
}

function Opened({ open, onOpen }: { readonly open: Open | undefined; readonly onOpen: (open?: Open) => void }) {
  const onClose = () => onOpen(undefined);
  const onMade = (made: Shape<'CreatedKey'>) => onOpen({ kind: 'made', made });
  switch (open?.kind) {
    case undefined:
      return null;
    case 'make':
      return <MakeKey onMade={onMade} onClose={onClose} />;
    case 'made':
      return <SecretOnce made={open.made} onDone={onClose} />;
    case 'change':
      return <ChangeKey of={open.of} onClose={onClose} />;
    case 'rotate':
      return <RotateKey of={open.of} onMade={onMade} onClose={onClose} />;
    case 'revoke':
      return <RevokeKey of={open.of} onClose={onClose} />;
  }
}
