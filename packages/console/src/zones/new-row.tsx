import { type Name, parseDuration } from '@namehold/dns/editor';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { checkSet } from './check.ts';
import { cleaned, defaultTtlSeconds, offeredTypes, ownerOf } from './draft.ts';
import { looksDoubled, sentenceOf } from './sentence.ts';
import { words } from './words.ts';

interface Given {
  readonly origin: Name;
  readonly onAdd: (record: { name: Name; type: string; ttl: number | undefined; text: string }) => void;
}

const plainText = new Set(['TXT', 'SPF']);

interface Typed {
  readonly name: string;
  readonly type: string;
  readonly ttl: string;
  readonly data: string;
}

/** What the fields come to, and what is wrong with them. */
function readRecord({ name, type, ttl, data }: Typed, origin: Name, w: ReturnType<typeof words>) {
  const owner = ownerOf(name, origin);
  const seconds = ttl.trim() === '' ? undefined : parseDuration(ttl.trim());
  // Words of a TXT record need no quotes here: they get them.
  const written =
    plainText.has(type) && !data.trim().startsWith('"') && data.trim() !== ''
      ? JSON.stringify(cleaned(data))
      : data.trim();
  const set =
    'name' in owner ? { name: owner.name, type, ttl: seconds ?? defaultTtlSeconds, records: [written] } : undefined;
  const built = set && written !== '' ? checkSet(set, origin) : undefined;
  const wrong =
    'reason' in owner
      ? `${w.name}: ${owner.reason}`
      : ttl.trim() !== '' && seconds === undefined
        ? w.ttlSeconds
        : built && 'errors' in built
          ? `${built.errors[0]!.field}: ${built.errors[0]!.reason}`
          : undefined;
  return { seconds, written, set, built, wrong };
}

/** Always open, on top of the table: what it becomes is said while one types. */
export function NewRow({ origin, onAdd }: Given) {
  const w = words();
  const [typed, setTyped] = useState<Typed>({ name: '', type: 'A', ttl: '', data: '' });
  const { name, type, ttl, data } = typed;
  const first = useRef<HTMLInputElement>(null);
  const { seconds, written, set, built, wrong } = readRecord(typed, origin, w);
  const canAdd = built !== undefined && 'set' in built && wrong === undefined;
  const add = () => {
    if (!built || !('set' in built) || wrong) return;
    onAdd({ name: built.set.name, type, ttl: seconds, text: built.set.records[0]!.text });
    setTyped({ ...typed, name: '', ttl: '', data: '' });
    first.current?.focus();
  };
  return (
    <form
      class="zone-new"
      aria-label={w.newRecord}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label>
        {w.name}
        <input
          ref={first}
          value={name}
          placeholder="@"
          spellcheck={false}
          autoComplete="off"
          onInput={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
        />
      </label>
      <label>
        {w.type}
        <select value={type} onChange={(event) => setTyped({ ...typed, type: event.currentTarget.value })}>
          {offeredTypes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label>
        {w.ttl}
        <input
          value={ttl}
          placeholder={String(defaultTtlSeconds)}
          inputMode="numeric"
          autoComplete="off"
          onInput={(event) => setTyped({ ...typed, ttl: event.currentTarget.value })}
        />
      </label>
      <label class="wide">
        {w.data}
        <input
          value={data}
          spellcheck={false}
          autoComplete="off"
          aria-describedby="zone-new-note"
          onInput={(event) => setTyped({ ...typed, data: event.currentTarget.value })}
        />
      </label>
      <Button kind="primary" type="submit" disabled={!canAdd}>
        {w.add}
      </Button>
      <p id="zone-new-note" class="zone-new-note" aria-live="polite">
        {(name !== '' || data !== '') && <Note {...{ wrong, set, written, origin }} isWhole={canAdd} />}
      </p>
    </form>
  );
}

interface NoteGiven {
  readonly wrong: string | undefined;
  readonly set:
    | { readonly name: Name; readonly type: string; readonly ttl: number; readonly records: string[] }
    | undefined;
  readonly written: string;
  readonly origin: Name;
  readonly isWhole: boolean;
}

/** What is wrong, or the record in words. */
function Note({ wrong, set, written, origin, isWhole }: NoteGiven) {
  const w = words();
  return (
    <>
      {wrong && <span class="wrong-text">{wrong}</span>}
      {isWhole && set && sentenceOf(set, written, w.sentence)}
      {set && looksDoubled(set.name, origin) && (
        <span class="warn-text"> {w.sentence.doubled(set.name.slice(0, -1))}</span>
      )}
    </>
  );
}
