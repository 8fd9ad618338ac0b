import { useEffect, useState } from 'preact/hooks';
import { useNames } from '../activity/entry.tsx';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { momentText, readMoment } from '../components/moment.tsx';
import type { Merged } from './changes.ts';
import type { Edits, RRsetText } from './draft.ts';
import { actorText } from './history.tsx';
import { messages } from './messages.ts';

interface Props {
  readonly domainId: string;
  readonly merged: Merged;
  readonly onDone: (edits: Edits) => void;
  readonly onClose: () => void;
}

/** Shows both versions of each conflicting RRset next to the original. The draft is kept. */
export function ConflictDialog({ domainId, merged, onDone, onClose }: Props) {
  const t = messages();
  const labelOf = useNames();
  const [last, setLast] = useState<Schema<'ZoneHistoryEntry'>>();
  const [choices, setChoices] = useState<Readonly<Record<string, 'theirs' | 'mine'>>>({});
  useEffect(() => {
    call('get', '/domains/{domain_id}/zone/history', { path: { domain_id: domainId }, query: { limit: 1 } })
      .then(({ body }) => setLast(body[0]))
      .catch(() => undefined);
  }, [domainId]);
  const isChosen = merged.conflicts.every(({ key }) => choices[key]);
  const done = () => {
    const edits: Record<string, RRsetText> = { ...merged.edits };
    for (const { key, mine, theirs } of merged.conflicts)
      if (choices[key] === 'mine') edits[key] = mine ?? { ...theirs!, records: [] };
    onDone(edits);
  };
  return (
    <Dialog title={t.conflictTitle} onClose={onClose} size="large">
      {last && (
        <p>
          {t.conflictLead(actorText(last, t, labelOf), momentText(readMoment(last.changed_at), true))}
          {last.comment && ` ${t.conflictWhy(last.comment)}`}
        </p>
      )}
      <p>{merged.conflicts.length === 0 ? t.conflictNone : t.conflictChoose}</p>
      {merged.conflicts.map(({ key, base, theirs, mine }) => (
        <fieldset class="zone-conflict" key={key}>
          <legend>{key}</legend>
          <div>
            <strong>{t.before}</strong>
            <Content set={base} absent={t.noneMark} />
          </div>
          {(['theirs', 'mine'] as const).map((side) => (
            <label key={side}>
              <span>
                <input
                  type="radio"
                  name={key}
                  checked={choices[key] === side}
                  onChange={() => setChoices({ ...choices, [key]: side })}
                />
                <strong> {t.sides[side]}</strong>
              </span>
              <Content set={side === 'mine' ? mine : theirs} absent={t.deletedMark} />
            </label>
          ))}
        </fieldset>
      ))}
      <div class="actions">
        <Button kind="primary" disabled={!isChosen} onClick={done}>
          {t.continueToReview}
        </Button>
      </div>
    </Dialog>
  );
}

function Content({ set, absent }: { readonly set: RRsetText | undefined; readonly absent: string }) {
  if (!set) return <p class="faint">{absent}</p>;
  return <pre>{set.records.map((text) => `${set.ttl} ${text}`).join('\n')}</pre>;
}
