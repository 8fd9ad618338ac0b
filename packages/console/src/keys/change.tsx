import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { changed, useResource, versionOf } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Checkbox, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Meanwhile } from '../parts/meanwhile.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { words as common } from '../words/words.ts';
import { KeyFields } from './fields.tsx';
import { draftOf, sentOf } from './key-draft.ts';
import { words } from './words.ts';

type Key = Shape<'Key'>;

interface Given {
  readonly of: Key;
  readonly onClose: () => void;
}

/** As it is now: what the list said may be older. */
export function ChangeKey({ of, onClose }: Given) {
  const w = words();
  const key = useResource('/account/keys/{key_id}', { path: { key_id: of.key_id } });
  return (
    <Dialog title={w.changeTitle(of.label)} onClose={onClose}>
      {key.trouble && <TroubleNote trouble={key.trouble} onAgain={key.again} />}
      {key.isLoading && <Waiting />}
      {key.data && <ChangeForm of={key.data} version={versionOf(key)} onClose={onClose} />}
    </Dialog>
  );
}

function ChangeForm({ of, version, onClose }: Given & { readonly version: string | undefined }) {
  const w = words();
  const address = `/account/keys/${of.key_id}`;
  const draft = useChangeDraft(address, draftOf(of), version);
  const { busy, trouble, act } = useAct(undefined, address);
  const close = () => {
    draft.clear();
    onClose();
  };
  const save = async () => {
    const path = { key_id: of.key_id };
    await call('put', '/account/keys/{key_id}', { path, body: sentOf(draft.value) }, ifMatch(draft));
    close();
    toast(w.saved);
    await changed('/account/keys');
  };
  return (
    <Form
      onSubmit={() => void act(save)}
      trouble={draft.others ? undefined : trouble}
      labels={{ label: w.label, ip_whitelist: w.whitelist, scopes: w.scopes }}
    >
      <Meanwhile
        draft={draft}
        of={[
          { label: w.label, text: ({ label }) => label },
          { label: w.whitelist, text: (key) => sentOf(key).ip_whitelist.join(', ') },
          { label: w.scopes, text: (key) => sentOf(key).scopes.join(', ') },
        ]}
      />
      <KeyFields draft={draft.value} onDraft={draft.put} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!!draft.others}>
          {w.save}
        </Button>
        <Button onClick={close}>{common().cancel}</Button>
      </div>
    </Form>
  );
}

const overlapSeconds = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
type Overlap = keyof typeof overlapSeconds;

export function RotateKey({ of, onClose, onMade }: Given & { readonly onMade: (made: Shape<'CreatedKey'>) => void }) {
  const w = words();
  const [overlap, setOverlap] = useState<Overlap>('day');
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { busy, trouble, act } = useAct();
  const rotate = async () => {
    const made = await call(
      'post',
      '/account/keys/{key_id}/rotate',
      { path: { key_id: of.key_id }, body: { overlap_seconds: overlapSeconds[overlap] } },
      { idempotencyKey },
    );
    await changed('/account/keys');
    onMade(made.body);
  };
  return (
    <Dialog title={w.rotateTitle(of.label)} onClose={onClose}>
      <Form onSubmit={() => void act(rotate)} trouble={trouble}>
        <p>{w.rotateText}</p>
        <SelectField
          name="overlap_seconds"
          label={w.overlap}
          value={overlap}
          choices={(Object.keys(overlapSeconds) as Overlap[]).map((value) => ({ value, label: w.overlaps[value] }))}
          onChoice={(value) => setOverlap(value as Overlap)}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {w.rotate}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Active keys that a key issued, directly or through others. */
function issuedBy(keyId: string, keys: readonly Key[]): Key[] {
  const found = new Set([keyId]);
  // A set goes on with what is added while it is read.
  for (const id of found) for (const key of keys) if (key.issued_by === id) found.add(key.key_id);
  return keys.filter((key) => key.key_id !== keyId && found.has(key.key_id) && key.status === 'active');
}

export function RevokeKey({ of, onClose }: Given) {
  const w = words();
  const { busy, trouble, act } = useAct();
  const [withIssued, setWithIssued] = useState(false);
  const issued = issuedBy(of.key_id, useResource('/account/keys', {}).data ?? []);
  const revoke = async () => {
    const body = withIssued ? { revoke_issued_keys: true } : {};
    await call('delete', '/account/keys/{key_id}', { path: { key_id: of.key_id }, body });
    await changed('/account/keys');
    toast(w.revoked);
    onClose();
  };
  return (
    <Dialog title={w.revokeTitle(of.label)} onClose={onClose}>
      <Form onSubmit={() => void act(revoke)} trouble={trouble}>
        <p>{w.revokeText}</p>
        {issued.length > 0 && (
          <Checkbox
            name="revoke_issued_keys"
            label={w.issued}
            hint={w.issuedHint(issued.map(({ label }) => label).join(', '))}
            checked={withIssued}
            onChange={setWithIssued}
          />
        )}
        <div class="actions">
          <Button kind="danger" type="submit" busy={busy}>
            {w.revoke}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
