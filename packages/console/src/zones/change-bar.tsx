import { Button } from '../parts/button.tsx';
import { type changesOf, countChanges } from './changes.ts';
import { words } from './words.ts';
import type { ZoneDraft } from './zone-draft.ts';

function barCounts(changes: ReturnType<typeof changesOf>): [number, number, number] {
  const { changed: other, added, deleted } = countChanges(changes);
  return [other, added, deleted];
}

interface Given {
  /** Not: a role was lowered since. What was typed then is to be seen for what it is, and can go. */
  readonly isWritable: boolean;
  readonly draft: ZoneDraft;
  readonly onDiscard: () => void;
  readonly onReview: () => void;
}

/** Fixed, and never hidden: how much is changed, and what can be done with it. */
export function ChangeBar({ draft, isWritable, onDiscard, onReview }: Given) {
  const w = words();
  const { changes, verdict } = draft;
  const isNone = changes.length === 0;
  if (!isWritable)
    return isNone ? null : (
      <section class="zone-bar" aria-label={w.changes}>
        <strong role="alert">{w.notYours}</strong>
        <Button onClick={onDiscard}>{w.discard}</Button>
      </section>
    );
  return (
    <section class="zone-bar" aria-label={w.changes}>
      <span aria-live="polite">
        {isNone ? w.noChanges : w.bar(...barCounts(changes))}
        {verdict.errors.length > 0 && <strong class="wrong-text"> {w.problems(verdict.errors.length)}</strong>}
      </span>
      <Button disabled={!draft.canUndo} onClick={draft.undo}>
        {w.undo}
      </Button>
      <Button disabled={isNone} onClick={onDiscard}>
        {w.discard}
      </Button>
      <Button kind="primary" disabled={isNone || verdict.errors.length > 0} onClick={onReview}>
        {w.review}
      </Button>
    </section>
  );
}
