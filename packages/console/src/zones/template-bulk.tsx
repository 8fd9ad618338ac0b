import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { errorLine } from '../components/error-text.ts';
import { SelectField, TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useDraft } from '../data/draft.ts';
import { aboutOf, type Head, isFilled, ValueFields, type Values, valuesOf } from './template-form.tsx';
import { namesIn } from './template-lines.ts';
import { messages } from './template-messages.ts';

/** The limit per run. Each domain is a separate change. */
const mostNames = 100;
const ways = ['replace', 'merge', 'skip'] as const;
type ConflictChoice = (typeof ways)[number];

/** One domain with its preview or result. */
interface Line {
  readonly name: string;
  readonly state: 'would' | 'sent' | 'unknown' | 'did' | 'same' | 'refused';
  readonly added: number;
  readonly deleted: number;
  readonly reason?: string;
  /** The versions of zone and template in the preview. Other versions are refused. */
  readonly seen?: { readonly zone: string | undefined; readonly template: number };
  /** The idempotency key of the change. */
  readonly key: string;
}

interface BulkTemplateDraft {
  readonly names: string;
  readonly way: ConflictChoice;
  readonly values: Values;
  readonly lines: readonly Line[];
}

const countOf = (sets: readonly { readonly records: readonly string[] }[]): number =>
  sets.reduce((sum, { records }) => sum + records.length, 0);

const lineOf = (name: string): Line => ({ name, state: 'would', added: 0, deleted: 0, key: crypto.randomUUID() });

/** Previews a change, sends it, or repeats it with the same key to check its outcome. */
async function applyTo(line: Line, head: Head, { values, way }: BulkTemplateDraft, isDry: boolean): Promise<Line> {
  const t = messages();
  const { name, seen, key } = line;
  const body = {
    template_id: head.template_id ?? '',
    values: valuesOf(head, values),
    on_conflict: way,
    dry_run: isDry,
    ...(seen ? { template_version: seen.template } : {}),
  };
  const options = isDry ? {} : { idempotencyKey: key, ...(seen?.zone ? { ifMatch: seen.zone } : {}) };
  const path = { domain_id: name };
  try {
    const answer = await call('post', '/domains/{domain_id}/zone/apply_template', { path, body }, options);
    const { conflicts, added, deleted, is_changed, template_version } = answer.body;
    const open = conflicts.find((each) => each.way === null);
    const counts = { name, key, added: countOf(added), deleted: countOf(deleted) };
    if (open) return { ...counts, state: 'refused', reason: `${t.conflictText} ${open.name} ${open.type}` };
    if (!is_changed) return { ...counts, state: 'same' };
    if (!isDry) return { ...counts, state: 'did' };
    return {
      ...counts,
      state: 'would',
      seen: { zone: answer.headers.get('ETag') ?? undefined, template: template_version },
    };
  } catch (cause) {
    const error = asApiError(cause);
    if (!isDry && !error.isRefusal) return { ...line, state: 'unknown' };
    const reason = error.code === 'precondition_failed' ? t.changedSincePreview : errorLine(error);
    return { name, key, state: 'refused', added: 0, deleted: 0, reason };
  }
}

const nothing: BulkTemplateDraft = { names: '', way: 'replace', values: {}, lines: [] };

/** The inputs and the results by domain, stored until all outcomes are known. */
function useRounds(head: Head) {
  const draft = useDraft<BulkTemplateDraft>(`zone_templates/${head.template_id}/many`, nothing);
  const [isBusy, setBusy] = useState(false);
  const wanted = draft.value;
  // Requests that were in flight when the page closed have an unknown outcome.
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
  const runLines = async (over: readonly Line[], isDry: boolean) => {
    setBusy(true);
    for (const line of over) {
      if (!isDry) setLine({ ...line, state: 'sent' });
      const next = await applyTo(line, head, wanted, isDry);
      setLine(next);
      // The next requests would fail too.
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
    /** Changed input invalidates the preview. */
    put: (change: Partial<BulkTemplateDraft>) => draft.put({ ...change, lines: [] }),
    preview: async () => {
      if (!canRun) return;
      const fresh = names.map(lineOf);
      draft.put({ lines: fresh });
      await runLines(fresh, true);
    },
    apply: () => runLines(seen, false),
    checkStatus: () => runLines(unknown, false),
  };
}

/** Applies one template to many domains: preview first, then one result per domain. */
export function ApplyToDomains({ head, onClose }: { readonly head: Head; readonly onClose: () => void }) {
  const t = messages();
  const { wanted, lines, isBusy, isTooMany, canRun, seen, unknown, put, preview, apply, checkStatus } = useRounds(head);
  const { names, way, values } = wanted;
  return (
    <Dialog title={t.manyTitle(head.name)} onClose={isBusy ? undefined : onClose} size="large">
      <Form onSubmit={() => void preview()} error={undefined}>
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
              label={t.domains}
              hint={isTooMany ? <span class="wrong-text">{t.tooMany(mostNames)}</span> : t.domainsHint(mostNames)}
              rows={5}
              value={names}
              onText={(text) => put({ names: text })}
            />
            <SelectField
              name="way"
              label={t.onConflict}
              value={way}
              choices={ways.map((each) => ({ value: each, label: t.conflictChoices[each] }))}
              onChoice={(next) => put({ way: next as ConflictChoice })}
            />
          </>
        )}
        <Results of={lines} />
        <div class="actions">
          {unknown.length > 0 ? (
            <Button kind="primary" busy={isBusy} onClick={() => void checkStatus()}>
              {t.checkStatus}
            </Button>
          ) : (
            <>
              <Button type="submit" busy={isBusy} disabled={!canRun}>
                {t.preview}
              </Button>
              <Button kind="primary" disabled={!canRun || seen.length === 0} onClick={() => void apply()}>
                {t.applyMany(seen.length)}
              </Button>
            </>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

function Results({ of }: { readonly of: readonly Line[] }) {
  const t = messages();
  const resultText = ({ state, added, deleted, reason, seen }: Line) => {
    if (state === 'refused') return <span class="wrong-text">{reason}</span>;
    if (state === 'unknown') return <span class="wrong-text">{t.unknown}</span>;
    if (state === 'same') return t.same;
    return state === 'sent' || (state === 'would' && !seen)
      ? '…'
      : (state === 'would' ? t.willChange : t.didChange)(added, deleted);
  };
  return (
    <ul class="zone-template-results" aria-live="polite" aria-label={t.results}>
      {of.map((line) => (
        <li key={line.name}>
          <strong>
            <DomainName name={line.name} />
          </strong>{' '}
          {resultText(line)}
        </li>
      ))}
    </ul>
  );
}
