import { type Name, parseDuration } from '@namehold/dns/editor';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import type { Problem } from './check.ts';
import { addRecord, type Edits, keyOf, present, put, type Row, type RRsetText, removeRow, setTtl } from './draft.ts';
import { Grid, type RowActs } from './grid.tsx';
import { doubtText, MendedNote, tellMended } from './mended.tsx';
import { NewRow } from './new-row.tsx';
import { readContent, readWord } from './typed.ts';
import { words } from './words.ts';

interface Given {
  readonly origin: Name;
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly acts: RowActs;
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly set: (change: (before: Edits) => Edits) => void;
  readonly isWritable: boolean;
}

/** New records on top, then what there is: found by words, filtered by type, many changed at once. */
export function TableView({ origin, rows, problems, warnings, acts, base, set, isWritable }: Given) {
  const w = words();
  const [wanted, setWanted] = useState('');
  const [type, setType] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const types = useMemo(() => [...new Set(rows.map((row) => row.set.type))].sort(), [rows]);
  const looked = wanted.trim().toLowerCase();
  const shown = useMemo(() => {
    if (type === '' && looked === '') return rows;
    return rows.filter(
      (row) =>
        (type === '' || row.set.type === type) &&
        (looked === '' || `${row.set.name} ${row.text}`.toLowerCase().includes(looked)),
    );
  }, [rows, type, looked]);
  const many = chosen.size === 0 ? [] : rows.filter((row) => chosen.has(row.id));
  return (
    <>
      {isWritable && <NewRow origin={origin} onAdd={(record) => set((now) => addRecord(base, now, record))} />}
      <div class="zone-filter">
        <input
          type="search"
          aria-label={w.find}
          placeholder={w.find}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <select aria-label={w.filterTypes} value={type} onChange={(event) => setType(event.currentTarget.value)}>
          <option value="">{w.allTypes}</option>
          {types.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        {isWritable && <span class="faint zone-keys">{w.keys}</span>}
      </div>
      {many.length > 0 && <Many rows={many} {...{ base, set }} onDone={() => setChosen(new Set())} />}
      {shown.length === 0 ? (
        <p class="faint">{w.empty}</p>
      ) : (
        <Grid {...{ origin, problems, warnings, acts, chosen, isWritable }} rows={shown} onChosen={setChosen} />
      )}
    </>
  );
}

interface ManyGiven {
  readonly rows: readonly Row[];
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly set: (change: (before: Edits) => Edits) => void;
  readonly onDone: () => void;
}

/** What is done to all that were chosen. */
function Many({ rows, base, set, onDone }: ManyGiven) {
  const w = words();
  const [ttl, setTyped] = useState('');
  const [text, setText] = useState('');
  const time = readWord(ttl);
  const seconds = parseDuration(time.text);
  const contents = rows.map((row) => readContent(row.set.type, text));
  const doubt = contents.find((each) => each.doubt !== undefined)?.doubt;
  const mended = [...time.mended, ...contents.flatMap((each) => each.mended)];
  const all = (change: (next: Edits, row: Row) => Edits) => {
    set((now) => rows.reduce(change, now));
    tellMended(mended);
    onDone();
  };
  const replaced = (next: Edits, row: Row): Edits => {
    const now = present(base, next, keyOf(row.set)) ?? row.set;
    const records = now.records.map((each) => (each === row.text ? readContent(row.set.type, text).text : each));
    return put(base, next, { ...now, records: [...new Set(records)] });
  };
  return (
    <section class="zone-many" aria-label={w.selected(rows.length)}>
      <strong aria-live="polite">{w.selected(rows.length)}</strong>
      <input
        aria-label={w.ttlSeconds}
        placeholder="3600"
        value={ttl}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        small
        disabled={seconds === undefined}
        onClick={() => all((next, row) => setTtl(base, next, row.set, seconds!))}
      >
        {w.setTtl}
      </Button>
      <input
        aria-label={w.newContent}
        placeholder={w.newContent}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button small disabled={text.trim() === '' || doubt !== undefined} onClick={() => all(replaced)}>
        {w.setTarget}
      </Button>
      <Button small kind="danger" onClick={() => all((next, row) => removeRow(base, next, row))}>
        {w.deleteChosen}
      </Button>
      <Button small kind="quiet" onClick={onDone}>
        {w.clearChoice}
      </Button>
      {doubt ? (
        <span class="wrong-text">{`${w.newContent}: ${doubtText(doubt)}`}</span>
      ) : (
        <MendedNote mended={mended} />
      )}
    </section>
  );
}
