import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { useResource } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { hasPasskeys, makePasskey } from '../session/passkey.ts';
import { words as common } from '../words/words.ts';
import { factorsChanged } from './factors.ts';
import { Remove } from './remove.tsx';
import { words } from './words.ts';

type Passkey = Shape<'Passkey'>;

export function Passkeys() {
  const w = words();
  const passkeys = useResource('/me/passkeys', {});
  const [isAdding, setAdding] = useState(false);
  const [gone, setGone] = useState<Passkey>();
  const add = hasPasskeys() && (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {w.addPasskey}
    </Button>
  );
  return (
    <Card title={w.passkeys} actions={passkeys.data?.length ? add : undefined}>
      <Table
        label={w.passkeys}
        rows={passkeys.data}
        keyOf={(each) => each.passkey_id}
        trouble={passkeys.trouble}
        onAgain={passkeys.again}
        empty={
          <Empty title={w.noPasskey} action={add}>
            {hasPasskeys() ? w.passkeyText : w.passkeyImpossible}
          </Empty>
        }
        columns={[
          {
            key: 'name',
            title: w.name,
            isTitle: true,
            cell: (each) => (each.host ? `${each.name} (${each.host})` : each.name),
          },
          { key: 'made', title: w.added, cell: (each) => <Moment at={each.created_at} /> },
          {
            key: 'used',
            title: w.lastUse,
            cell: (each) => (each.last_used_at ? <Moment at={each.last_used_at} withTime /> : w.unused),
          },
          {
            key: 'do',
            title: w.verbs,
            cell: (each) => (
              <Button small aria-label={`${w.remove}: ${each.name}`} onClick={() => setGone(each)}>
                {w.remove}
              </Button>
            ),
          },
        ]}
      />
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {gone && (
        <Remove
          title={w.removePasskey(gone.name)}
          onClose={() => setGone(undefined)}
          remove={() => call('delete', '/me/passkeys/{passkey_id}', { path: { passkey_id: gone.passkey_id } })}
        >
          {w.removeText}
        </Remove>
      )}
    </Card>
  );
}

function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const w = words();
  const [name, setName] = useState('');
  const { busy, trouble, act } = useAct();
  const add = async () => {
    const passkey = await makePasskey();
    await call('post', '/me/passkeys', { body: { name: name.trim(), passkey } });
    await factorsChanged();
    toast(w.passkeyAdded);
    onClose();
  };
  return (
    <Dialog title={w.addPasskey} onClose={onClose}>
      <Form onSubmit={() => void act(add)} trouble={trouble} labels={{ name: w.name }}>
        <p>{w.passkeyText}</p>
        <TextField name="name" label={w.name} hint={w.passkeyName} maxLength={60} value={name} onText={setName} />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!name.trim()}>
            {w.makePasskey}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
