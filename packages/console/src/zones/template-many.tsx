import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asTrouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { aboutOf, type Head, isFilled, ValueFields, type Values, valuesOf } from './template-form.tsx';
import { namesIn } from './template-lines.ts';
import { words } from './template-words.ts';

/** Each is a change of its own; more at once would be waited for too long. */
const mostNames = 100;
const ways = ['replace', 'merge', 'skip'] as const;
type Way = (typeof ways)[number];

interface Result {
  readonly name: string;
  readonly state: 'would' | 'did' | 'same' | 'refused';
  readonly added: number;
  readonly deleted: number;
  readonly reason?: string;
}

const countOf = (sets: readonly { readonly records: readonly string[] }[]): number =>
  sets.reduce((sum, { records }) => sum + records.length, 0);

interface Order {
  readonly head: Head;
  readonly values: Values;
  readonly way: Way;
  readonly isDry: boolean;
  readonly idempotencyKey: string;
}

async function applyTo(name: string, { head, values, way, isDry, idempotencyKey }: Order): Promise<Result> {
  const w = words();
  const body = {
    template_id: head.template_id ?? '',
    values: valuesOf(head, values),
    on_conflict: way,
    dry_run: isDry,
  };
  const manner = isDry ? {} : { idempotencyKey: `${idempotencyKey}-${name}` };
  const path = { domain_id: name };
  try {
    const done = (await call('post', '/domains/{domain_id}/zone/apply_template', { path, body }, manner)).body;
    const open = done.conflicts.filter((each) => each.way === null);
    const counts = { name, added: countOf(done.added), deleted: countOf(done.deleted) };
    if (open.length > 0)
      return { ...counts, state: 'refused', reason: `${w.inTheWay} ${open[0]!.name} ${open[0]!.type}` };
    return { ...counts, state: done.is_changed ? (isDry ? 'would' : 'did') : 'same' };
  } catch (error) {
    return { name, state: 'refused', added: 0, deleted: 0, reason: asTrouble(error).message };
  }
}

/** What was typed, and the rounds over the names: one that looks, and one that does. */
function useRounds(head: Head) {
  const draft = useDraft(`zone_templates/${head.template_id}/many`, {
    names: '',
    way: 'replace' as Way,
    values: {} as Values,
  });
  const [results, setResults] = useState<readonly Result[]>([]);
  const [isBusy, setBusy] = useState(false);
  const { names, way, values } = draft.value;
  const wanted = namesIn(names);
  const isTooMany = wanted.length > mostNames;
  const canRun = wanted.length > 0 && !isTooMany && isFilled(head, values) && !isBusy;
  const seen = results.filter(({ state }) => state === 'would').map(({ name }) => name);
  /** What was looked at no longer says what would happen. */
  const put = (change: Partial<typeof draft.value>) => {
    setResults([]);
    draft.put(change);
  };
  const run = async (isDry: boolean) => {
    if (!canRun) return;
    setBusy(true);
    const before = isDry ? [] : results.filter(({ state }) => state !== 'would');
    const found: Result[] = [];
    setResults(before);
    for (const name of isDry ? wanted : seen) {
      found.push(await applyTo(name, { head, values, way, isDry, idempotencyKey: draft.idempotencyKey }));
      setResults([...before, ...found]);
    }
    // The next round is another order; each name of this one was sent under a key of its own.
    if (!isDry) draft.renew();
    setBusy(false);
  };
  return { value: draft.value, put, results, isBusy, isTooMany, canRun, seen, run };
}

/** One template, many names: looked at first, and one line of result for each. */
export function ManyNames({ head, onClose }: { readonly head: Head; readonly onClose: () => void }) {
  const w = words();
  const { value, put, results, isBusy, isTooMany, canRun, seen, run } = useRounds(head);
  const { names, way, values } = value;
  return (
    <Dialog title={w.manyTitle(head.name)} onClose={onClose} size="large">
      <Form onSubmit={() => void run(true)} trouble={undefined}>
        <p class="faint">{aboutOf(head)}</p>
        <ValueFields
          head={head}
          values={values}
          onValue={(name, value) => put({ values: { ...values, [name]: value } })}
        />
        <TextArea
          name="names"
          label={w.names}
          hint={isTooMany ? <span class="wrong-text">{w.tooMany(mostNames)}</span> : w.namesHint(mostNames)}
          rows={5}
          value={names}
          onText={(text) => put({ names: text })}
        />
        <SelectField
          name="way"
          label={w.onConflict}
          value={way}
          choices={ways.map((each) => ({ value: each, label: w.ways[each] }))}
          onChoice={(next) => put({ way: next as Way })}
        />
        <Results of={results} />
        <div class="actions">
          <Button type="submit" busy={isBusy} disabled={!canRun}>
            {w.look}
          </Button>
          <Button kind="primary" disabled={!canRun || seen.length === 0} onClick={() => void run(false)}>
            {w.applyMany(seen.length)}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function Results({ of }: { readonly of: readonly Result[] }) {
  const w = words();
  return (
    <ul class="zone-template-results" aria-live="polite" aria-label={w.results}>
      {of.map(({ name, state, added, deleted, reason }) => (
        <li key={name}>
          <strong>{name}</strong>{' '}
          {state === 'refused' ? (
            <span class="wrong-text">{reason}</span>
          ) : state === 'same' ? (
            w.same
          ) : (
            w[state](added, deleted)
          )}
        </li>
      ))}
    </ul>
  );
}
