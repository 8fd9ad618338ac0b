import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { EditConflict } from '../components/edit-conflict.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Checkbox, SelectField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { invalidate, useResource, versionOf } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { KeyFields } from './fields.tsx';
import { draftOf, sentOf } from './key-draft.ts';
import { messages } from './messages.ts';

type Key = Schema<'Key'>;

interface Props {
  readonly of: Key;
  readonly onClose: () => void;
}

/** Reads the key again, because the list can be outdated. */
export function ChangeKey({ of, onClose }: Props) {
  const t = messages();
  const key = useResource('/account/keys/{key_id}', { path: { key_id: of.key_id } });
  return (
    <Dialog title={t.changeTitle(of.label)} onClose={onClose}>
      {key.error && <ErrorBanner error={key.error} onRetry={key.refetch} />}
      {key.isLoading && <Skeleton />}
      {key.data && <ChangeForm of={key.data} version={versionOf(key)} onClose={onClose} />}
    </Dialog>
  );
}

function ChangeForm({ of, version, onClose }: Props & { readonly version: string | undefined }) {
  const t = messages();
  const address = `/account/keys/${of.key_id}`;
  const draft = useChangeDraft(address, draftOf(of), version);
  const { busy, error, perform } = useSubmit(undefined, address);
  const close = () => {
    draft.clear();
    onClose();
  };
  const save = async () => {
    const path = { key_id: of.key_id };
    await call('put', '/account/keys/{key_id}', { path, body: sentOf(draft.value) }, ifMatch(draft));
    close();
    toast(t.saved);
    await invalidate('/account/keys');
  };
  return (
    <Form
      onSubmit={() => void perform(save)}
      error={draft.others ? undefined : error}
      labels={{ label: t.label, ip_whitelist: t.allowedIps, scopes: t.scopes }}
    >
      <EditConflict
        draft={draft}
        of={[
          { label: t.label, text: ({ label }) => label },
          { label: t.allowedIps, text: (key) => sentOf(key).ip_whitelist.join(', ') },
          { label: t.scopes, text: (key) => sentOf(key).scopes.join(', ') },
        ]}
      />
      <KeyFields draft={draft.value} onDraft={draft.put} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!!draft.others}>
          {t.save}
        </Button>
        <Button onClick={close}>{common().cancel}</Button>
      </div>
    </Form>
  );
}

const overlapSeconds = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
type Overlap = keyof typeof overlapSeconds;

export function RotateKey({ of, onClose, onMade }: Props & { readonly onMade: (made: Schema<'CreatedKey'>) => void }) {
  const t = messages();
  const [overlap, setOverlap] = useState<Overlap>('day');
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const rotate = async () => {
    const made = await call(
      'post',
      '/account/keys/{key_id}/rotate',
      { path: { key_id: of.key_id }, body: { overlap_seconds: overlapSeconds[overlap] } },
      { idempotencyKey },
    );
    await invalidate('/account/keys');
    onMade(made.body);
  };
  return (
    <ActDialog title={t.rotateTitle(of.label)} verb={t.rotate} onClose={onClose} act={rotate}>
      <p>{t.rotateText}</p>
      <SelectField
        name="overlap_seconds"
        label={t.overlap}
        value={overlap}
        choices={(Object.keys(overlapSeconds) as Overlap[]).map((value) => ({ value, label: t.overlaps[value] }))}
        onChoice={(value) => setOverlap(value as Overlap)}
      />
    </ActDialog>
  );
}

/** Active keys issued by a key, directly or indirectly. */
function issuedBy(keyId: string, keys: readonly Key[]): Key[] {
  const found = new Set([keyId]);
  // A loop over a Set includes values added during the loop.
  for (const id of found) for (const key of keys) if (key.issued_by === id) found.add(key.key_id);
  return keys.filter((key) => key.key_id !== keyId && found.has(key.key_id) && key.status === 'active');
}

export function RevokeKey({ of, onClose }: Props) {
  const t = messages();
  const [withIssued, setWithIssued] = useState(false);
  const issued = issuedBy(of.key_id, useResource('/account/keys', {}).data ?? []);
  const revoke = async () => {
    const body = withIssued ? { revoke_issued_keys: true } : {};
    await call('delete', '/account/keys/{key_id}', { path: { key_id: of.key_id }, body });
    await invalidate('/account/keys');
    toast(t.revoked);
    onClose();
  };
  return (
    <ActDialog title={t.revokeTitle(of.label)} verb={t.revoke} onClose={onClose} act={revoke} isDanger>
      <p>{t.revokeText}</p>
      <Checkbox
        name="revoke_issued_keys"
        label={t.issued}
        hint={t.issuedHint(issued.map(({ label }) => label).join(', '))}
        checked={withIssued}
        onChange={setWithIssued}
      />
    </ActDialog>
  );
}
