import { useEffect, useState } from 'preact/hooks';
import { call, type Manner } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Diff, type Change as Shown } from '../parts/diff.tsx';
import { Checkbox, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { bodyOf, type Change, changesOf, heldSeconds, lossesOf } from './changes.ts';
import { type Edits, keyOf } from './draft.ts';
import type { LoadedZone } from './load.ts';
import { looksSecret } from './paste.ts';
import { duration } from './sentence.ts';
import { words } from './words.ts';

/** Removed and added, one beside the other where one took the place of the other. */
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

/** How the change is sent: to be looked at, and then to be done. */
export type Sender = (
  more: { readonly dry_run?: boolean; readonly comment?: string },
  manner: Manner,
) => Promise<Shape<'ZoneChange'>>;

interface Given {
  readonly loaded: LoadedZone;
  readonly edits: Edits;
  readonly idempotencyKey: string;
  /** Where it is not the edits themselves that are sent. */
  readonly send?: Sender | undefined;
  readonly onClose: () => void;
  readonly onApplied: (change: Shape<'ZoneChange'>) => void;
  readonly onConflict: () => void;
}

/** Nothing is applied unseen: the difference, what resolvers hold, what the service remarks, a comment; the name typed for what is dear. */
export function Review({ loaded, edits, idempotencyKey, send, onClose, onApplied, onConflict }: Given) {
  const w = words();
  const { origin, sets, serial, domainId } = loaded;
  const name = origin.slice(0, -1);
  const [dry, setDry] = useState<Shape<'ZoneChange'>>();
  const [trouble, setTrouble] = useState<Trouble>();
  const [comment, setComment] = useState('');
  const [typed, setTyped] = useState('');
  const [isPublic, setPublic] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf(sets, edits);
  const losses = lossesOf(sets, edits, origin);
  const hasSecret = changes.some(({ type, added }) => added.some((text) => looksSecret(type, text)));
  const sent: Sender = send ?? sendEdits(domainId, edits);
  // A zone that is to be new has no serial to hold on to.
  const manner = serial === 0 ? {} : { ifMatch: `"${serial}"` };
  const refused = (error: unknown) => {
    const found = asTrouble(error);
    if (found.status === 412) onConflict();
    else setTrouble(found);
  };
  useEffect(() => {
    sent({ dry_run: true }, manner).then(setDry).catch(refused);
  }, []);
  const isAllowed = (losses.length === 0 || typed.trim().toLowerCase() === name) && (!hasSecret || isPublic);
  const apply = async () => {
    if (!isAllowed || isBusy) return;
    setBusy(true);
    setTrouble(undefined);
    try {
      onApplied(await sent(comment.trim() ? { comment: comment.trim() } : {}, { ...manner, idempotencyKey }));
    } catch (error) {
      refused(error);
    }
    setBusy(false);
  };
  const held = heldSeconds(changes);
  return (
    <Dialog title={w.reviewTitle(name)} onClose={onClose} size="large">
      <Diff changes={shownChanges(changes)} />
      <p class="faint">{held > 0 ? w.held(duration(held, w.sentence)) : w.heldNot}</p>
      {!dry && !trouble && <p class="faint">{w.checking}</p>}
      <Remarks of={dry} />
      {trouble && trouble.fields.length === 0 && <TroubleNote trouble={trouble} />}
      <Form onSubmit={apply} trouble={trouble}>
        <Losses losses={losses} name={name} typed={typed} onTyped={setTyped} />
        {hasSecret && <AskSecret isPublic={isPublic} onPublic={setPublic} />}
        <TextField
          name="comment"
          label={w.comment}
          hint={w.commentHint}
          isOptional
          value={comment}
          onText={setComment}
          maxLength={200}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={isBusy} disabled={!isAllowed || !dry}>
            {w.apply}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const sendEdits =
  (domainId: string, edits: Edits): Sender =>
  async (more, manner) => {
    const inputs = { path: { domain_id: domainId }, body: { rrsets: bodyOf(edits), ...more } };
    return (await call('patch', '/domains/{domain_id}/zone/rrsets', inputs, manner)).body;
  };

/** What the service says about it before it is done. */
function Remarks({ of }: { readonly of: Shape<'ZoneChange'> | undefined }) {
  const w = words();
  if (!of || of.warnings.length === 0) return null;
  return (
    <section class="zone-remarks" aria-label={w.warnings}>
      <strong>{w.warnings}</strong>
      <ul>
        {of.warnings.map((each, at) => (
          <li key={at}>{`${each.name.replace(/\.$/, '')} ${each.type}: ${each.reason}`}</li>
        ))}
      </ul>
    </section>
  );
}

interface LossesGiven {
  readonly losses: ReturnType<typeof lossesOf>;
  readonly name: string;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

/** What is dear is lost only by whoever types the name. */
function Losses({ losses, name, typed, onTyped }: LossesGiven) {
  const w = words();
  if (losses.length === 0) return null;
  return (
    <div class="zone-losses">
      <ul>
        {losses.map((loss) => (
          <li key={loss}>{w.losses[loss]}</li>
        ))}
      </ul>
      <TextField name="typed" label={w.typeName(name)} value={typed} onText={onTyped} autoComplete="off" />
    </div>
  );
}

function AskSecret({ isPublic, onPublic }: { readonly isPublic: boolean; readonly onPublic: (yes: boolean) => void }) {
  const w = words();
  return (
    <div class="zone-losses">
      <p>{w.secretAsk}</p>
      <Checkbox name="public" label={w.secretYes} checked={isPublic} onChange={onPublic} />
    </div>
  );
}
