import { type Name, parseDuration } from '@namehold/dns/editor';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { checkSet } from './check.ts';
import { defaultTtlSeconds, offeredTypes, ownerOf } from './draft.ts';
import { doubtText, MendedNote, tellMended } from './mended.tsx';
import { looksDoubled, sentenceOf } from './sentence.ts';
import { type Mended, readContent, readWord } from './typed.ts';
import { words } from './words.ts';

interface Given {
  readonly origin: Name;
  readonly onAdd: (record: { name: Name; type: string; ttl: number | undefined; text: string }) => void;
}

interface Fields {
  readonly name: string;
  readonly type: string;
  readonly ttl: string;
  readonly data: string;
}

/** What the fields come to, and what is wrong with them. */
function readRecord({ name, type, ttl, data }: Fields, origin: Name, w: ReturnType<typeof words>) {
  const owner = ownerOf(name, origin);
  const time = readWord(ttl);
  const seconds = time.text === '' ? undefined : parseDuration(time.text);
  const content = readContent(type, data);
  const written = content.text;
  const set =
    'name' in owner ? { name: owner.name, type, ttl: seconds ?? defaultTtlSeconds, records: [written] } : undefined;
  const built = set && written !== '' && content.doubt === undefined ? checkSet(set, origin) : undefined;
  const wrong =
    'reason' in owner
      ? `${w.name}: ${owner.reason}`
      : time.text !== '' && seconds === undefined
        ? w.ttlSeconds
        : content.doubt !== undefined
          ? `${w.data}: ${doubtText(content.doubt)}`
          : built && 'errors' in built
            ? `${built.errors[0]!.field}: ${built.errors[0]!.reason}`
            : undefined;
  const mended = [...readWord(name).mended, ...time.mended, ...content.mended];
  return { seconds, written, set, built, wrong, mended };
}

/** Always open, on top of the table: what it becomes is said while one types. */
export function NewRow({ origin, onAdd }: Given) {
  const w = words();
  const [typed, setTyped] = useState<Fields>({ name: '', type: 'A', ttl: '', data: '' });
  const { name, type, ttl, data } = typed;
  const first = useRef<HTMLInputElement>(null);
  const read = readRecord(typed, origin, w);
  const { built, wrong } = read;
  const canAdd = built !== undefined && 'set' in built && wrong === undefined;
  const add = (event: Event) => {
    event.preventDefault();
    if (!built || !('set' in built) || wrong) return;
    onAdd({ name: built.set.name, type, ttl: read.seconds, text: built.set.records[0]!.text });
    tellMended(read.mended);
    setTyped({ ...typed, name: '', ttl: '', data: '' });
    first.current?.focus();
  };
  return (
    <form class="zone-new" aria-label={w.newRecord} onSubmit={add}>
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
        {(name !== '' || data !== '') && <Note {...read} origin={origin} isWhole={canAdd} />}
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
  readonly mended: readonly Mended[];
  readonly isWhole: boolean;
}

/** What is wrong, or the record in words. */
function Note({ wrong, set, written, origin, mended, isWhole }: NoteGiven) {
  const w = words();
  return (
    <>
      {wrong && <span class="wrong-text">{wrong}</span>}
      {isWhole && set && sentenceOf(set, written, w.sentence)}
      <MendedNote mended={mended} />
      {set && looksDoubled(set.name, origin) && (
        <span class="warn-text"> {w.sentence.doubled(set.name.slice(0, -1))}</span>
      )}
    </>
  );
}
