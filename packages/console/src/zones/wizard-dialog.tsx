import type { Name } from '@namehold/dns/editor';
import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { messages as common } from '../messages/common.ts';
import { checkSet } from './check.ts';
import { addRecord, defaultTtlSeconds, type Edits, ownerOf, present, put, type RRsetText } from './draft.ts';
import { messages } from './messages.ts';
import { problemText } from './problem-text.ts';
import { readToken } from './read-input.ts';
import { RepairNote } from './repairs.tsx';
import { sentenceOf } from './sentence.ts';
import { isTooMany, type WizardField, type WizardKind, type Written, wizardForms } from './wizard-forms.ts';
import { messages as wizardMessages } from './wizard-messages.ts';

interface Props {
  readonly origin: Name;
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly edits: Edits;
  readonly onEdits: (edits: Edits) => void;
  readonly onClose: () => void;
}

type Values = Readonly<Record<string, string>>;
const kinds = Object.keys(wizardForms) as WizardKind[];
const initialOf = (kind: WizardKind): Values =>
  Object.fromEntries(wizardForms[kind].fields.map(({ key, initial }) => [key, initial]));

function Input({
  field,
  kind,
  value,
  onValue,
}: {
  readonly field: WizardField;
  readonly kind: WizardKind;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const t = wizardMessages();
  const label = t.fields[field.key] ?? field.key;
  const hint = t.hints[`${kind}.${field.key}`];
  const props = { name: field.key, label, ...(hint ? { hint } : {}) };
  if (field.kind === 'tick')
    return <Checkbox {...props} checked={value === 'yes'} onChange={(is) => onValue(is ? 'yes' : '')} />;
  if (field.kind === 'lines') return <TextArea {...props} rows={3} value={value} onText={onValue} />;
  if (field.kind === 'choice')
    return (
      <SelectField
        {...props}
        value={value}
        choices={(field.choices ?? []).map((each) => ({
          value: each,
          label: t.choices[`${field.key}.${each}`] ?? each,
        }))}
        onChoice={onValue}
      />
    );
  return <TextField {...props} value={value} onText={onValue} spellcheck={false} autoComplete="off" />;
}

/** Checks the record as the API does. */
function checked(written: Written | undefined, origin: Name) {
  if (!written) return undefined;
  const owner = ownerOf(written.name, origin);
  if ('reason' in owner) return { wrong: problemText({ field: 'name', reason: owner.reason }) };
  const set = { name: owner.name, type: written.type, ttl: defaultTtlSeconds, records: [written.text] };
  const built = checkSet(set, origin);
  return 'errors' in built ? { wrong: problemText(built.errors[0]!) } : { set };
}

/** A name has one SPF and one DMARC record: a new one replaces the old one. */
function withRecord({ base, edits }: Props, set: RRsetText, { instead, text, type }: Written): Edits {
  const found = present(base, edits, `${set.name} ${type}`);
  if (!instead || !found?.records.some((each) => instead.test(each)))
    return addRecord(base, edits, { name: set.name, type, text });
  return put(base, edits, { ...found, records: [...found.records.filter((each) => !instead.test(each)), text] });
}

/** Forms for common records, with a preview of the record. */
export function WizardDialog(props: Props) {
  const { origin, onEdits, onClose } = props;
  const t = wizardMessages();
  const [kind, setKind] = useState<WizardKind>('spf');
  const [values, setValues] = useState<Values>(() => initialOf('spf'));
  const form = wizardForms[kind];
  const typed = Object.entries(values).map(([key, value]) => [key, readToken(value)] as const);
  const written = form.write(Object.fromEntries(typed.map(([key, { text }]) => [key, text])));
  const result = checked(written, origin);
  const choose = (next: WizardKind) => {
    setKind(next);
    setValues(initialOf(next));
  };
  const add = () => {
    if (!written || !result?.set) return;
    onEdits(withRecord(props, result.set, written));
    onClose();
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form onSubmit={add} error={undefined}>
        <SelectField
          name="kind"
          label={t.kind}
          hint={t.kinds[kind].text}
          value={kind}
          choices={kinds.map((value) => ({ value, label: t.kinds[value].title }))}
          onChoice={(value) => choose(value as WizardKind)}
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
          {written && result?.set && <code>{`${written.name} ${written.type} ${written.text}`}</code>}
          {written && result?.set && (
            <p>{messages().afterPublishing(sentenceOf(result.set, written.text, messages().sentence))}</p>
          )}
          <RepairNote repairs={typed.flatMap(([, { repairs }]) => repairs)} />
          {result?.wrong && <p class="wrong-text">{result.wrong}</p>}
          {written?.lookups !== undefined && (
            <p class={isTooMany(written) ? 'wrong-text' : 'faint'}>{t.lookups(written.lookups)}</p>
          )}
          {written?.bits !== undefined && written.bits > 0 && (
            <p class={written.bits < 1024 ? 'wrong-text' : 'faint'}>{t.bits(written.bits)}</p>
          )}
        </div>
        <div class="actions">
          <Button kind="primary" type="submit" disabled={!result?.set}>
            {t.add}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
