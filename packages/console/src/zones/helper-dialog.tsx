import type { Name } from '@namehold/dns/editor';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { words as common } from '../words/words.ts';
import { checkSet } from './check.ts';
import { addRecord, defaultTtlSeconds, type Edits, ownerOf, present, put, type RRsetText } from './draft.ts';
import { type HelperField, type HelperKind, helperForms, isTooMany, type Written } from './helper-forms.ts';
import { words as helperWords } from './helper-words.ts';
import { MendedNote } from './mended.tsx';
import { sentenceOf } from './sentence.ts';
import { readWord } from './typed.ts';
import { words } from './words.ts';

interface Given {
  readonly origin: Name;
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly edits: Edits;
  readonly onEdits: (edits: Edits) => void;
  readonly onClose: () => void;
}

type Values = Readonly<Record<string, string>>;
const kinds = Object.keys(helperForms) as HelperKind[];
const initialOf = (kind: HelperKind): Values =>
  Object.fromEntries(helperForms[kind].fields.map(({ key, initial }) => [key, initial]));

function Input({
  field,
  kind,
  value,
  onValue,
}: {
  readonly field: HelperField;
  readonly kind: HelperKind;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const w = helperWords();
  const label = w.fields[field.key] ?? field.key;
  const hint = w.hints[`${kind}.${field.key}`];
  const given = { name: field.key, label, ...(hint ? { hint } : {}) };
  if (field.kind === 'tick')
    return <Checkbox {...given} checked={value === 'yes'} onChange={(is) => onValue(is ? 'yes' : '')} />;
  if (field.kind === 'lines') return <TextArea {...given} rows={3} value={value} onText={onValue} />;
  if (field.kind === 'choice')
    return (
      <SelectField
        {...given}
        value={value}
        choices={(field.choices ?? []).map((each) => ({
          value: each,
          label: w.choices[`${field.key}.${each}`] ?? each,
        }))}
        onChoice={onValue}
      />
    );
  return <TextField {...given} value={value} onText={onValue} spellcheck={false} autoComplete="off" />;
}

/** The record in the words of the zone, checked as the service checks it. */
function checked(written: Written | undefined, origin: Name) {
  const owner = written && ownerOf(written.name, origin);
  if (!written || !owner || !('name' in owner)) return undefined;
  const set = { name: owner.name, type: written.type, ttl: defaultTtlSeconds, records: [written.text] };
  const built = checkSet(set, origin);
  return 'errors' in built ? { wrong: `${built.errors[0]!.field}: ${built.errors[0]!.reason}` } : { set };
}

/** One SPF and one DMARC record a name: the new one takes the place of the old. */
function withRecord({ base, edits }: Given, set: RRsetText, { instead, text, type }: Written): Edits {
  const found = present(base, edits, `${set.name} ${type}`);
  if (!instead || !found?.records.some((each) => instead.test(each)))
    return addRecord(base, edits, { name: set.name, type, text });
  return put(base, edits, { ...found, records: [...found.records.filter((each) => !instead.test(each)), text] });
}

/** Forms that write ordinary records into the draft; the record stands below while one types. */
export function HelperDialog(given: Given) {
  const { origin, onEdits, onClose } = given;
  const w = helperWords();
  const [kind, setKind] = useState<HelperKind>('spf');
  const [values, setValues] = useState<Values>(() => initialOf('spf'));
  const form = helperForms[kind];
  const typed = Object.entries(values).map(([key, value]) => [key, readWord(value)] as const);
  const written = form.write(Object.fromEntries(typed.map(([key, { text }]) => [key, text])));
  const said = checked(written, origin);
  const choose = (next: HelperKind) => {
    setKind(next);
    setValues(initialOf(next));
  };
  const add = () => {
    if (!written || !said?.set) return;
    onEdits(withRecord(given, said.set, written));
    onClose();
  };
  return (
    <Dialog title={w.title} onClose={onClose}>
      <Form onSubmit={add} trouble={undefined}>
        <SelectField
          name="kind"
          label={w.kind}
          hint={w.kinds[kind].text}
          value={kind}
          choices={kinds.map((value) => ({ value, label: w.kinds[value].title }))}
          onChoice={(value) => choose(value as HelperKind)}
        />
        {form.fields.map((field) => (
          <Input
            key={`${kind} ${field.key}`}
            field={field}
            kind={kind}
            value={values[field.key] ?? ''}
            onValue={(value) => setValues({ ...values, [field.key]: value })}
          />
        ))}
        <div class="helper-note" aria-live="polite">
          {written && said?.set && <code>{`${written.name} ${written.type} ${written.text}`}</code>}
          {written && said?.set && <p>{sentenceOf(said.set, written.text, words().sentence)}</p>}
          <MendedNote mended={typed.flatMap(([, { mended }]) => mended)} />
          {said?.wrong && <p class="wrong-text">{said.wrong}</p>}
          {written?.lookUps !== undefined && (
            <p class={isTooMany(written) ? 'wrong-text' : 'faint'}>{w.lookUps(written.lookUps)}</p>
          )}
          {written?.bits !== undefined && written.bits > 0 && (
            <p class={written.bits < 1024 ? 'wrong-text' : 'faint'}>{w.bits(written.bits)}</p>
          )}
        </div>
        <div class="actions">
          <Button kind="primary" type="submit" disabled={!said?.set}>
            {w.add}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
