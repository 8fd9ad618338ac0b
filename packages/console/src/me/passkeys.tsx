import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Empty } from '../components/empty.tsx';
import { TextField } from '../components/field.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { Moment } from '../components/moment.tsx';
import { Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { useResource } from '../data/resource.ts';
import { hasPasskeys, makePasskey } from '../session/passkey.ts';
import { factorsChanged } from './factors.ts';
import { messages } from './messages.ts';
import { Remove } from './remove.tsx';

type Passkey = Schema<'Passkey'>;

export function Passkeys() {
  const t = messages();
  const passkeys = useResource('/me/passkeys', {});
  const [isAdding, setAdding] = useState(false);
  const [gone, setGone] = useState<Passkey>();
  const add = hasPasskeys() && (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t.addPasskey}
    </Button>
  );
  return (
    <Card title={t.passkeys} actions={passkeys.data?.length ? add : undefined}>
      <Table
        label={t.passkeys}
        rows={passkeys.data}
        keyOf={(each) => each.passkey_id}
        error={passkeys.error}
        onRetry={passkeys.refetch}
        empty={
          <Empty title={t.noPasskey} action={add}>
            {hasPasskeys() ? t.passkeyText : t.passkeyImpossible}
          </Empty>
        }
        columns={[
          {
            key: 'name',
            title: t.name,
            isTitle: true,
            cell: (each) => (each.host ? `${each.name} (${each.host})` : each.name),
          },
          { key: 'made', title: t.added, cell: (each) => <Moment at={each.created_at} /> },
          {
            key: 'used',
            title: t.lastUse,
            cell: (each) => (each.last_used_at ? <Moment at={each.last_used_at} withTime /> : t.unused),
          },
          {
            key: 'do',
            title: t.verbs,
            cell: (each) => (
              <Button small aria-label={`${t.remove}: ${each.name}`} onClick={() => setGone(each)}>
                {t.remove}
              </Button>
            ),
          },
        ]}
      />
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {gone && (
        <Remove
          title={t.removePasskey(gone.name)}
          onClose={() => setGone(undefined)}
          remove={() => call('delete', '/me/passkeys/{passkey_id}', { path: { passkey_id: gone.passkey_id } })}
        >
          {t.removeText}
        </Remove>
      )}
    </Card>
  );
}

function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const t = messages();
  const [name, setName] = useState('');
  const add = async () => {
    const passkey = await makePasskey();
    await call('post', '/me/passkeys', { body: { name: name.trim(), passkey } });
    await factorsChanged();
    toast(t.passkeyAdded);
    onClose();
  };
  return (
    <ActDialog
      title={t.addPasskey}
      verb={t.makePasskey}
      onClose={onClose}
      act={add}
      labels={{ name: t.name }}
      isReady={Boolean(name.trim())}
    >
      <p>{t.passkeyText}</p>
      <TextField name="name" label={t.name} hint={t.passkeyName} maxLength={60} value={name} onText={setName} />
    </ActDialog>
  );
}
