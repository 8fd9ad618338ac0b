import './keys.css';
import { useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { ChangeKey, RevokeKey, RotateKey } from './change.tsx';
import { MakeKey } from './make.tsx';
import { messages } from './messages.ts';
import { SecretOnce } from './secret-once.tsx';

type Key = Schema<'Key'>;
type Open =
  | { kind: 'make' }
  | { kind: 'made'; made: Schema<'CreatedKey'> }
  | { kind: 'change' | 'rotate' | 'revoke'; of: Key };

const tones = { active: 'good', expired: 'plain', revoked: 'bad' } as const;

export default function KeyList() {
  const t = messages();
  const keys = useResource('/account/keys', {});
  const [open, setOpen] = useState<Open>();
  const isWriter = may('account:write');
  const make = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'make' })}>
      {t.make}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t.keys}
        lead={t.lead}
        actions={
          <>
            {make}
            <CopyCurl method="get" address="/v1/account/keys" />
          </>
        }
      />
      <Table
        label={t.keys}
        rows={keys.data}
        keyOf={(key) => key.key_id}
        error={keys.error}
        onRetry={keys.refetch}
        empty={
          <Empty title={t.none} action={make}>
            {t.noneText}
          </Empty>
        }
        columns={[
          {
            key: 'label',
            title: t.label,
            isTitle: true,
            cell: (key) => (
              <>
                {key.label} <code class="faint">{key.hint}</code>
              </>
            ),
          },
          {
            key: 'state',
            title: t.status,
            cell: (key) => <Badge tone={tones[key.status]}>{t.state[key.status]}</Badge>,
          },
          { key: 'whitelist', title: t.allowedIps, cell: (key) => <Addresses of={key} /> },
          { key: 'scopes', title: t.scopes, cell: (key) => <Scopes of={key} /> },
          { key: 'last', title: t.lastUse, cell: (key) => <LastUse of={key} /> },
          {
            key: 'expires',
            title: t.expires,
            cell: (key) => (key.expires_at ? <Moment at={key.expires_at} /> : <span class="faint">{t.never}</span>),
          },
          ...(isWriter
            ? [{ key: 'do', title: t.actionsColumn, cell: (key: Key) => <Verbs of={key} onOpen={setOpen} /> }]
            : []),
        ]}
      />
      <KeyDialogs open={open} onOpen={setOpen} />
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
  const { preset } = messages();
  const [only] = of.scopes;
  if (of.scopes.length === 1 && (only === 'full' || only === 'read')) return <>{preset[only]}</>;
  return <code class="scope-words">{of.scopes.join(' ')}</code>;
}

function LastUse({ of }: { readonly of: Key }) {
  const t = messages();
  if (!of.last_used_at) return <span class="faint">{t.unused}</span>;
  return (
    <>
      <Moment at={of.last_used_at} withTime /> <code class="faint">{of.last_used_address}</code>
      {of.previous_key_expires_at && (
        <p class="faint">
          {t.oldUntil} <Moment at={of.previous_key_expires_at} withTime />
        </p>
      )}
    </>
  );
}

function Verbs({ of, onOpen }: { readonly of: Key; readonly onOpen: (open: Open) => void }) {
  const t = messages();
  if (of.status !== 'active') return null;
  const kinds = ['change', 'rotate', 'revoke'] as const;
  const labels = { change: t.change, rotate: t.rotate, revoke: t.revoke };
  return (
    <Menu
      label={t.actions(of.label)}
      className="button quiet small"
      items={kinds.map((kind) => ({
        key: kind,
        label: labels[kind],
        isDanger: kind === 'revoke',
        act: () => onOpen({ kind, of }),
      }))}
    >
      <Icon name="more" />
    </Menu>
  );
}

function KeyDialogs({ open, onOpen }: { readonly open: Open | undefined; readonly onOpen: (open?: Open) => void }) {
  const onClose = () => onOpen(undefined);
  const onMade = (made: Schema<'CreatedKey'>) => onOpen({ kind: 'made', made });
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
