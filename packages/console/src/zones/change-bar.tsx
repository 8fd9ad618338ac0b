import { Button } from '../components/button.tsx';
import { type changesOf, countChanges } from './changes.ts';
import { messages } from './messages.ts';
import type { ZoneDraft } from './zone-draft.ts';

function barCounts(changes: ReturnType<typeof changesOf>): [number, number, number] {
  const { changed: other, added, deleted } = countChanges(changes);
  return [other, added, deleted];
}

interface Props {
  /** False after the role lost write access. Changes can then only be discarded. */
  readonly isWritable: boolean;
  readonly draft: ZoneDraft;
  readonly onDiscard: () => void;
  readonly onReview: () => void;
}

/** The bar with the number of changes and the actions, always visible. */
export function ChangeBar({ draft, isWritable, onDiscard, onReview }: Props) {
  const t = messages();
  const { changes, checkResult } = draft;
  const isNone = changes.length === 0;
  if (isNone && !draft.canUndo) return null;
  if (!isWritable)
    return isNone ? null : (
      <section class="zone-bar" aria-label={t.changes}>
        <strong role="alert">{t.noPermission}</strong>
        <Button onClick={onDiscard}>{t.discard}</Button>
      </section>
    );
  return (
    <section class="zone-bar" aria-label={t.changes}>
      <span aria-live="polite">
        {isNone ? t.noChanges : t.bar(...barCounts(changes))}
        {checkResult.errors.length > 0 && <strong class="wrong-text"> {t.problems(checkResult.errors.length)}</strong>}
      </span>
      <Button disabled={!draft.canUndo} onClick={draft.undo}>
        {t.undo}
      </Button>
      <Button disabled={isNone} onClick={onDiscard}>
        {t.discard}
      </Button>
      <Button kind="primary" disabled={isNone || checkResult.errors.length > 0} onClick={onReview}>
        {t.review}
      </Button>
    </section>
  );
}
