import { type Name, parseDuration } from '@namehold/dns/editor';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import type { Problem } from './check.ts';
import { addRecord, type Edits, keyOf, present, put, type Row, type RRsetText, removeRow, setTtl } from './draft.ts';
import { Grid, type RowActions } from './grid.tsx';
import { messages } from './messages.ts';
import { NewRow } from './new-row.tsx';
import { readContent, readToken } from './read-input.ts';
import { doubtText, RepairNote, toastRepairs } from './repairs.tsx';

interface Props {
  readonly origin: Name;
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly acts: RowActions;
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly set: (change: (before: Edits) => Edits) => void;
  readonly isWritable: boolean;
}

/** New records first, then the zone, with search, filter and bulk changes. */
export function TableView({ origin, rows, problems, warnings, acts, base, set, isWritable }: Props) {
  const t = messages();
  const [wanted, setWanted] = useState('');
  const [type, setType] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const types = useMemo(() => [...new Set(rows.map((row) => row.set.type))].sort(), [rows]);
  const query = wanted.trim().toLowerCase();
  const visible = useMemo(() => {
    if (type === '' && query === '') return rows;
    return rows.filter(
      (row) =>
        (type === '' || row.set.type === type) &&
        (query === '' || `${row.set.name} ${row.text}`.toLowerCase().includes(query)),
    );
  }, [rows, type, query]);
  const many = chosen.size === 0 ? [] : rows.filter((row) => chosen.has(row.id));
  return (
    <>
      {isWritable && <NewRow origin={origin} onAdd={(record) => set((now) => addRecord(base, now, record))} />}
      <div class="zone-filter">
        <input
          type="search"
          aria-label={t.find}
          placeholder={t.find}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <select aria-label={t.filterTypes} value={type} onChange={(event) => setType(event.currentTarget.value)}>
          <option value="">{t.allTypes}</option>
          {types.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        {isWritable && <span class="faint zone-keys">{t.keys}</span>}
      </div>
      {many.length > 0 && <Many rows={many} {...{ base, set }} onDone={() => setChosen(new Set())} />}
      {visible.length === 0 ? (
        <p class="faint">{t.empty}</p>
      ) : (
        <Grid {...{ origin, problems, warnings, acts, chosen, isWritable }} rows={visible} onChosen={setChosen} />
      )}
    </>
  );
}

interface ManyProps {
  readonly rows: readonly Row[];
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly set: (change: (before: Edits) => Edits) => void;
  readonly onDone: () => void;
}

/** Bulk changes of the selected records. */
function Many({ rows, base, set, onDone }: ManyProps) {
  const t = messages();
  const [ttl, setTyped] = useState('');
  const [text, setText] = useState('');
  const time = readToken(ttl);
  const seconds = parseDuration(time.text);
  const contents = rows.map((row) => readContent(row.set.type, text));
  const doubt = contents.find((each) => each.doubt !== undefined)?.doubt;
  const repairs = [...time.repairs, ...contents.flatMap((each) => each.repairs)];
  const all = (change: (next: Edits, row: Row) => Edits) => {
    set((now) => rows.reduce(change, now));
    toastRepairs(repairs);
    onDone();
  };
  const replaced = (next: Edits, row: Row): Edits => {
    const now = present(base, next, keyOf(row.set)) ?? row.set;
    const records = now.records.map((each) => (each === row.text ? readContent(row.set.type, text).text : each));
    return put(base, next, { ...now, records: [...new Set(records)] });
  };
  return (
    <section class="zone-many" aria-label={t.selected(rows.length)}>
      <strong aria-live="polite">{t.selected(rows.length)}</strong>
      <input
        aria-label={t.ttlSeconds}
        placeholder="3600"
        value={ttl}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        small
        disabled={seconds === undefined}
        onClick={() => all((next, row) => setTtl(base, next, row.set, seconds!))}
      >
        {t.setTtl}
      </Button>
      <input
        aria-label={t.newContent}
        placeholder={t.newContent}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button small disabled={text.trim() === '' || doubt !== undefined} onClick={() => all(replaced)}>
        {t.setTarget}
      </Button>
      <Button small kind="danger" onClick={() => all((next, row) => removeRow(base, next, row))}>
        {t.deleteChosen}
      </Button>
      <Button small kind="quiet" onClick={onDone}>
        {t.clearChoice}
      </Button>
      {doubt ? (
        <span class="wrong-text">{`${t.newContent}: ${doubtText(doubt)}`}</span>
      ) : (
        <RepairNote repairs={repairs} />
      )}
    </section>
  );
}
