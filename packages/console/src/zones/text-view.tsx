import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { asFile, fromFile } from './check.ts';
import type { Edits } from './draft.ts';
import type { LoadedZone } from './load.ts';
import { doubtText, MendedNote } from './mended.tsx';
import { readLines } from './typed.ts';
import { words } from './words.ts';

/** The same draft as a zone file. */
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
  const w = words();
  const own = loaded.sets.filter((set) => set.type !== 'SOA');
  const [typed, setTyped] = useState(() => asFile(own, edits, loaded.origin));
  const plain = readLines(typed);
  const read = fromFile(loaded.sets, plain.text, loaded.origin);
  const errors = [
    ...plain.doubts.map(({ line, sign }) => ({ line, what: doubtText(sign) })),
    ...read.errors.map(({ line, field, reason }) => ({ line, what: `${field}: ${reason}` })),
  ].sort((a, b) => a.line - b.line);
  return (
    <section class="zone-text">
      <p class="faint">{w.textHint}</p>
      <textarea
        aria-label={w.text}
        spellcheck={false}
        value={typed}
        readOnly={!isWritable}
        rows={Math.min(40, Math.max(12, typed.split('\n').length + 1))}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <p aria-live="polite">
        <MendedNote mended={plain.mended} />
      </p>
      {errors.length > 0 && (
        <div aria-live="polite">
          <p class="wrong-text">{w.textErrors(errors.length)}</p>
          <ul>
            {errors.slice(0, 20).map(({ line, what }) => (
              <li key={`${line} ${what}`}>{`${w.line} ${line}: ${what}`}</li>
            ))}
          </ul>
        </div>
      )}
      {isWritable && (
        <Button kind="primary" disabled={errors.length > 0} onClick={() => onEdits(read.edits)}>
          {w.takeText}
        </Button>
      )}
    </section>
  );
}
