import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asTrouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { NameText } from '../parts/name-text.tsx';
import { aboutOf, type Head, isFilled, ValueFields, type Values, valuesOf } from './template-form.tsx';
import { namesIn } from './template-lines.ts';
import { words } from './template-words.ts';

/** Each is a change of its own; more at once would be waited for too long. */
const mostNames = 100;
const ways = ['replace', 'merge', 'skip'] as const;
type Way = (typeof ways)[number];

/** One name, and what would happen to it, or did. */
interface Line {
  readonly name: string;
  readonly state: 'would' | 'sent' | 'unknown' | 'did' | 'same' | 'refused';
  readonly added: number;
  readonly deleted: number;
  readonly reason?: string;
  /** The zone and the template that were looked at: no others are changed, or applied, on this yes. */
  readonly seen?: { readonly zone: string | undefined; readonly template: number };
  /** One change, however often it is sent. */
  readonly key: string;
}

interface Wanted {
  readonly names: string;
  readonly way: Way;
  readonly values: Values;
  readonly lines: readonly Line[];
}

const countOf = (sets: readonly { readonly records: readonly string[] }[]): number =>
  sets.reduce((sum, { records }) => sum + records.length, 0);

const lineOf = (name: string): Line => ({ name, state: 'would', added: 0, deleted: 0, key: crypto.randomUUID() });

/** Looks at what would happen; or sends it, or asks what became of it, which are the same words under the same key. */
async function applyTo(line: Line, head: Head, { values, way }: Wanted, isDry: boolean): Promise<Line> {
  const w = words();
  const { name, seen, key } = line;
  const body = {
    template_id: head.template_id ?? '',
    values: valuesOf(head, values),
    on_conflict: way,
    dry_run: isDry,
    ...(seen ? { template_version: seen.template } : {}),
  };
  const manner = isDry ? {} : { idempotencyKey: key, ...(seen?.zone ? { ifMatch: seen.zone } : {}) };
  const path = { domain_id: name };
  try {
    const answer = await call('post', '/domains/{domain_id}/zone/apply_template', { path, body }, manner);
    const { conflicts, added, deleted, is_changed, template_version } = answer.body;
    const open = conflicts.find((each) => each.way === null);
    const counts = { name, key, added: countOf(added), deleted: countOf(deleted) };
    if (open) return { ...counts, state: 'refused', reason: `${w.inTheWay} ${open.name} ${open.type}` };
    if (!is_changed) return { ...counts, state: 'same' };
    if (!isDry) return { ...counts, state: 'did' };
    return {
      ...counts,
      state: 'would',
      seen: { zone: answer.headers.get('ETag') ?? undefined, template: template_version },
    };
  } catch (error) {
    const trouble = asTrouble(error);
    if (!isDry && !trouble.isRefusal) return { ...line, state: 'unknown' };
    const reason = trouble.code === 'precondition_failed' ? w.otherNow : trouble.message;
    return { name, key, state: 'refused', added: 0, deleted: 0, reason };
  }
}

const nothing: Wanted = { names: '', way: 'replace', values: {}, lines: [] };

/** What was typed, and the rounds over the names: one that looks, and one that does. All of it is kept until each outcome is known. */
function useRounds(head: Head) {
  const draft = useDraft<Wanted>(`zone_templates/${head.template_id}/many`, nothing);
  const [isBusy, setBusy] = useState(false);
  const wanted = draft.value;
  // What was on its way when the page was left has no answer.
  const lines = wanted.lines.map((each) =>
    each.state === 'sent' && !isBusy ? { ...each, state: 'unknown' as const } : each,
  );
  const names = namesIn(wanted.names);
  const unknown = lines.filter(({ state }) => state === 'unknown');
  const isTooMany = names.length > mostNames;
  const canRun = names.length > 0 && !isTooMany && isFilled(head, wanted.values) && !isBusy && unknown.length === 0;
  const seen = lines.filter(({ state, seen: looked }) => state === 'would' && looked !== undefined);
  const setLine = (next: Line) =>
    draft.set((before) => ({
      ...before,
      lines: before.lines.map((each) => (each.name === next.name ? next : each)),
    }));
  const round = async (over: readonly Line[], isDry: boolean) => {
    setBusy(true);
    for (const line of over) {
      if (!isDry) setLine({ ...line, state: 'sent' });
      const next = await applyTo(line, head, wanted, isDry);
      setLine(next);
      // The rest would have no answer either.
      if (next.state === 'unknown') break;
    }
    setBusy(false);
  };
  return {
    wanted,
    lines,
    isBusy,
    isTooMany,
    canRun,
    seen,
    unknown,
    /** What was looked at no longer says what would happen. */
    put: (change: Partial<Wanted>) => draft.put({ ...change, lines: [] }),
    look: async () => {
      if (!canRun) return;
      const fresh = names.map(lineOf);
      draft.put({ lines: fresh });
      await round(fresh, true);
    },
    apply: () => round(seen, false),
    ask: () => round(unknown, false),
  };
}

/** One template, many names: looked at first, and one line of result for each. */
export function ManyNames({ head, onClose }: { readonly head: Head; readonly onClose: () => void }) {
  const w = words();
  const { wanted, lines, isBusy, isTooMany, canRun, seen, unknown, put, look, apply, ask } = useRounds(head);
  const { names, way, values } = wanted;
  return (
    <Dialog title={w.manyTitle(head.name)} onClose={isBusy ? undefined : onClose} size="large">
      <Form onSubmit={() => void look()} trouble={undefined}>
        <p class="faint">{aboutOf(head)}</p>
        {unknown.length === 0 && (
          <>
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
          </>
        )}
        <Results of={lines} />
        <div class="actions">
          {unknown.length > 0 ? (
            <Button kind="primary" busy={isBusy} onClick={() => void ask()}>
              {w.ask}
            </Button>
          ) : (
            <>
              <Button type="submit" busy={isBusy} disabled={!canRun}>
                {w.look}
              </Button>
              <Button kind="primary" disabled={!canRun || seen.length === 0} onClick={() => void apply()}>
                {w.applyMany(seen.length)}
              </Button>
            </>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

function Results({ of }: { readonly of: readonly Line[] }) {
  const w = words();
  const said = ({ state, added, deleted, reason, seen }: Line) => {
    if (state === 'refused') return <span class="wrong-text">{reason}</span>;
    if (state === 'unknown') return <span class="wrong-text">{w.unknown}</span>;
    if (state === 'same') return w.same;
    return state === 'sent' || (state === 'would' && !seen) ? '…' : w[state](added, deleted);
  };
  return (
    <ul class="zone-template-results" aria-live="polite" aria-label={w.results}>
      {of.map((line) => (
        <li key={line.name}>
          <strong>
            <NameText name={line.name} />
          </strong>{' '}
          {said(line)}
        </li>
      ))}
    </ul>
  );
}
