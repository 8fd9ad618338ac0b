import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { asFile, fromFile } from './check.ts';
import type { Edits } from './draft.ts';
import type { LoadedZone } from './load.ts';
import { messages } from './messages.ts';
import { problemText } from './problem-text.ts';
import { readLines } from './read-input.ts';
import { doubtText, RepairNote } from './repairs.tsx';

/** The draft as a zone file. */
export function TextView({
  loaded,
  edits,
  onEdits,
  isWritable,
}: {
  readonly loaded: LoadedZone;
  readonly edits: Edits;
  readonly onEdits: (edits: Edits) => void;
  readonly isWritable: boolean;
}) {
  const t = messages();
  const own = loaded.sets.filter((set) => set.type !== 'SOA');
  const [typed, setTyped] = useState(() => asFile(own, edits, loaded.origin));
  const plain = readLines(typed);
  const read = fromFile(loaded.sets, plain.text, loaded.origin);
  const errors = [
    ...plain.doubts.map(({ line, sign }) => ({ line, what: doubtText(sign) })),
    ...read.errors.map((problem) => ({ line: problem.line, what: problemText(problem) })),
  ].sort((a, b) => a.line - b.line);
  return (
    <section class="zone-text">
      <p class="faint">{t.textHint}</p>
      <textarea
        aria-label={t.viewNames.text}
        spellcheck={false}
        value={typed}
        readOnly={!isWritable}
        rows={Math.min(40, Math.max(12, typed.split('\n').length + 1))}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <p aria-live="polite">
        <RepairNote repairs={plain.repairs} />
      </p>
      {errors.length > 0 && (
        <div aria-live="polite">
          <p class="wrong-text">{t.textErrors(errors.length)}</p>
          <ul>
            {errors.slice(0, 20).map(({ line, what }) => (
              <li key={`${line} ${what}`}>{`${t.line} ${line}: ${what}`}</li>
            ))}
          </ul>
        </div>
      )}
      {isWritable && (
        <Button kind="primary" disabled={errors.length > 0} onClick={() => onEdits(read.edits)}>
          {t.updateDraft}
        </Button>
      )}
    </section>
  );
}
