import { useEffect, useState } from 'preact/hooks';
import { type CallOptions, call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Diff, type Change as Shown } from '../components/diff.tsx';
import { Checkbox, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { bodyOf, type Change, cachedSeconds, changesOf, lossesOf } from './changes.ts';
import { type Edits, keyOf } from './draft.ts';
import type { LoadedZone } from './load.ts';
import { messages } from './messages.ts';
import { isLikelySecret } from './paste.ts';
import { problemText } from './problem-text.ts';
import { duration } from './sentence.ts';

/** Removed and added records, paired if one replaced the other. */
export function shownChanges(changes: readonly Change[]): Shown[] {
  return changes.flatMap((change) => {
    const { name, type, before, after, removed, added } = change;
    const line = (ttl: number | undefined, text: string | undefined) =>
      text === undefined ? undefined : `${ttl} ${type} ${text}`;
    const pairs = Math.max(removed.length, added.length);
    return Array.from({ length: pairs }, (_, at): Shown => {
      const [gone, come] = [line(before?.ttl, removed[at]), line(after?.ttl, added[at])];
      return {
        key: `${keyOf(change)} ${at}`,
        ...(at === 0 ? { title: `${name.slice(0, -1)} ${type}` } : {}),
        ...(gone === undefined ? {} : { before: gone }),
        ...(come === undefined ? {} : { after: come }),
      };
    });
  });
}

/** Sends the change, as a dry run or for real. */
export type Sender = (
  more: { readonly dry_run?: boolean; readonly comment?: string },
  options: CallOptions,
) => Promise<Schema<'ZoneChange'>>;

interface Props {
  readonly loaded: LoadedZone;
  readonly edits: Edits;
  readonly idempotencyKey: string;
  /** Replaces the default request. */
  readonly send?: Sender | undefined;
  readonly onClose: () => void;
  readonly onApplied: (change: Schema<'ZoneChange'>) => void;
  readonly onConflict: () => void;
}

/** The review before publishing: changes, cache times, warnings and a comment. Large losses require typing the name. */
export function Review({ loaded, edits, idempotencyKey, send, onClose, onApplied, onConflict }: Props) {
  const t = messages();
  const { origin, sets, serial, domainId } = loaded;
  const name = origin.slice(0, -1);
  const [dry, setDry] = useState<Schema<'ZoneChange'>>();
  const [error, setError] = useState<ApiError>();
  const [comment, setComment] = useState('');
  const [typed, setTyped] = useState('');
  const [isPublic, setPublic] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf(sets, edits);
  const losses = lossesOf(sets, edits, origin);
  const hasSecret = changes.some(({ type, added }) => added.some((text) => isLikelySecret(type, text)));
  const sent: Sender = send ?? sendEdits(domainId, edits);
  // A new zone has no serial for If-Match.
  const options = serial === 0 ? {} : { ifMatch: `"${serial}"` };
  const refused = (cause: unknown) => {
    const found = asApiError(cause);
    if (found.status === 412) onConflict();
    else setError(found);
  };
  useEffect(() => {
    sent({ dry_run: true }, options).then(setDry).catch(refused);
  }, []);
  const isAllowed = (losses.length === 0 || typed.trim().toLowerCase() === name) && (!hasSecret || isPublic);
  const apply = async () => {
    if (!isAllowed || isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      onApplied(await sent(comment.trim() ? { comment: comment.trim() } : {}, { ...options, idempotencyKey }));
    } catch (cause) {
      refused(cause);
    }
    setBusy(false);
  };
  const held = cachedSeconds(changes);
  return (
    <Dialog title={t.reviewTitle(name)} onClose={onClose} size="large">
      <Diff changes={shownChanges(changes)} />
      <p class="faint">{held > 0 ? t.cachedFor(duration(held, t.sentence)) : t.notCached}</p>
      {!dry && !error && <p class="faint">{t.checking}</p>}
      <Remarks of={dry} />
      <Form onSubmit={apply} error={error}>
        <Losses losses={losses} name={name} typed={typed} onTyped={setTyped} />
        {hasSecret && <ConfirmSecret isPublic={isPublic} onPublic={setPublic} />}
        <TextField
          name="comment"
          label={t.comment}
          hint={t.commentHint}
          isOptional
          value={comment}
          onText={setComment}
          maxLength={200}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={isBusy} disabled={!isAllowed || !dry}>
            {t.publish}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const sendEdits =
  (domainId: string, edits: Edits): Sender =>
  async (more, options) => {
    const inputs = { path: { domain_id: domainId }, body: { rrsets: bodyOf(edits), ...more } };
    return (await call('patch', '/domains/{domain_id}/zone/rrsets', inputs, options)).body;
  };

/** Warnings of the dry run. */
function Remarks({ of }: { readonly of: Schema<'ZoneChange'> | undefined }) {
  const t = messages();
  if (!of || of.warnings.length === 0) return null;
  return (
    <section class="zone-remarks" aria-label={t.warnings}>
      <strong>{t.warnings}</strong>
      <ul>
        {of.warnings.map((each, at) => (
          <li
            key={at}
          >{`${each.name.replace(/\.$/, '')} ${each.type}: ${problemText({ field: 'zone', reason: each.reason })}`}</li>
        ))}
      </ul>
    </section>
  );
}

interface LossesProps {
  readonly losses: ReturnType<typeof lossesOf>;
  readonly name: string;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

/** Requires typing the name before a large loss. */
function Losses({ losses, name, typed, onTyped }: LossesProps) {
  const t = messages();
  if (losses.length === 0) return null;
  return (
    <div class="zone-losses">
      <ul>
        {losses.map((loss) => (
          <li key={loss}>{t.lossWarnings[loss]}</li>
        ))}
      </ul>
      <TextField name="typed" label={t.typeName(name)} value={typed} onText={onTyped} autoComplete="off" />
    </div>
  );
}

function ConfirmSecret({
  isPublic,
  onPublic,
}: {
  readonly isPublic: boolean;
  readonly onPublic: (yes: boolean) => void;
}) {
  const t = messages();
  return (
    <div class="zone-losses">
      <p>{t.secretWarning}</p>
      <Checkbox name="public" label={t.publishAnyway} checked={isPublic} onChange={onPublic} />
    </div>
  );
}
