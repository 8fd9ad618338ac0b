import { type Name, parseDuration } from '@namehold/dns/editor';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { checkSet } from './check.ts';
import { defaultTtlSeconds, ownerOf } from './draft.ts';
import { messages } from './messages.ts';
import { contentExamples, problemText } from './problem-text.ts';
import { type RepairKind, readContent, readToken } from './read-input.ts';
import { doubtText, RepairNote, toastRepairs } from './repairs.tsx';
import { hasHyphenAtEnd, isDoubled, sentenceOf } from './sentence.ts';
import { TypeOptions } from './type-options.tsx';

interface Props {
  readonly origin: Name;
  readonly onAdd: (record: { name: Name; type: string; ttl: number | undefined; text: string }) => void;
}

interface Fields {
  readonly name: string;
  readonly type: string;
  readonly ttl: string;
  readonly data: string;
}

/** As the DNS library says it after the record was added. */
const apexAliasReason = 'A CNAME is not allowed at the domain itself (@). Use A and AAAA records, or an HTTPS record.';

/** The record in the fields, or the error. */
function readRecord({ name, type, ttl, data }: Fields, origin: Name, t: ReturnType<typeof messages>) {
  const owner = ownerOf(name, origin);
  const time = readToken(ttl);
  const seconds = time.text === '' ? undefined : parseDuration(time.text);
  const content = readContent(type, data);
  const written = content.text;
  const set =
    'name' in owner ? { name: owner.name, type, ttl: seconds ?? defaultTtlSeconds, records: [written] } : undefined;
  const built = set && written !== '' && content.doubt === undefined ? checkSet(set, origin) : undefined;
  const wrong =
    'reason' in owner
      ? problemText({ field: 'name', reason: owner.reason })
      : time.text !== '' && seconds === undefined
        ? t.ttlInvalid
        : content.doubt !== undefined
          ? `${t.columns.data}: ${doubtText(content.doubt)}`
          : built && 'errors' in built
            ? problemText(built.errors[0]!, type)
            : type === 'CNAME' && owner.name === origin
              ? problemText({ field: 'zone', reason: apexAliasReason })
              : undefined;
  const repairs = [...readToken(name).repairs, ...time.repairs, ...content.repairs];
  return { seconds, written, set, built, wrong, repairs };
}

/** The row for a new record, always visible. It describes the record while typing. */
export function NewRow({ origin, onAdd }: Props) {
  const t = messages();
  const [typed, setTyped] = useState<Fields>({ name: '', type: 'A', ttl: '', data: '' });
  const { name, type, ttl, data } = typed;
  const first = useRef<HTMLInputElement>(null);
  const read = readRecord(typed, origin, t);
  const { built, wrong } = read;
  const canAdd = built !== undefined && 'set' in built && wrong === undefined;
  const add = (event: Event) => {
    event.preventDefault();
    if (!built || !('set' in built) || wrong) return;
    onAdd({ name: built.set.name, type, ttl: read.seconds, text: built.set.records[0]!.text });
    toastRepairs(read.repairs);
    setTyped({ ...typed, name: '', ttl: '', data: '' });
    first.current?.focus();
  };
  return (
    <form class="zone-new" aria-label={t.newRecord} onSubmit={add}>
      <label>
        {t.columns.name}
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
        {t.columns.type}
        <select value={type} onChange={(event) => setTyped({ ...typed, type: event.currentTarget.value })}>
          <TypeOptions />
        </select>
      </label>
      <label>
        {t.columns.ttl}
        <input
          value={ttl}
          placeholder={String(defaultTtlSeconds)}
          inputMode="numeric"
          autoComplete="off"
          onInput={(event) => setTyped({ ...typed, ttl: event.currentTarget.value })}
        />
      </label>
      <label class="wide">
        {t.columns.data}
        <input
          value={data}
          placeholder={contentExamples[type]}
          spellcheck={false}
          autoComplete="off"
          aria-describedby="zone-new-note"
          onInput={(event) => setTyped({ ...typed, data: event.currentTarget.value })}
        />
      </label>
      <Button kind="primary" type="submit" disabled={!canAdd}>
        {t.add}
      </Button>
      <p id="zone-new-note" class="zone-new-note" aria-live="polite">
        {(name !== '' || data !== '') && <Note {...read} origin={origin} isWhole={canAdd} />}
      </p>
    </form>
  );
}

interface NoteProps {
  readonly wrong: string | undefined;
  readonly set:
    | { readonly name: Name; readonly type: string; readonly ttl: number; readonly records: string[] }
    | undefined;
  readonly written: string;
  readonly origin: Name;
  readonly repairs: readonly RepairKind[];
  readonly isWhole: boolean;
}

/** The error, or a description of the record. */
function Note({ wrong, set, written, origin, repairs, isWhole }: NoteProps) {
  const t = messages();
  return (
    <>
      {wrong && <span class="wrong-text">{wrong}</span>}
      {!wrong && written === '' && t.contentMissing}
      {isWhole && set && t.afterPublishing(sentenceOf(set, written, t.sentence))}
      <RepairNote repairs={repairs} />
      {set && isDoubled(set.name, origin) && (
        <span class="warn-text"> {t.sentence.doubled(set.name.slice(0, -1))}</span>
      )}
      {set && hasHyphenAtEnd(set.name) && <span class="warn-text"> {t.hyphenWarning}</span>}
    </>
  );
}
