import { useState } from 'preact/hooks';
import { type CallOptions, call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Form } from '../components/form.tsx';
import { useDraft } from '../data/draft.ts';
import { useResource } from '../data/resource.ts';
import { type Edits, keyOf, type RRsetText } from './draft.ts';
import type { LoadedZone } from './load.ts';
import type { Sender } from './review.tsx';
import { ChooseTemplate, type Head, isFilled, ValueFields, valuesOf } from './template-form.tsx';
import { editsOfChange } from './template-lines.ts';
import { messages } from './template-messages.ts';

type Conflict = Schema<'ZoneTemplateConflict'>;
type ConflictChoice = 'replace' | 'merge' | 'skip';
type Applied = Schema<'ZoneTemplateApplied'>;

/** The change of a template, and how it is sent. */
export interface PreparedTemplate {
  readonly edits: Edits;
  readonly send: Sender;
  readonly idempotencyKey: string;
}

interface Props {
  readonly loaded: LoadedZone;
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly onReview: (ready: PreparedTemplate) => void;
  readonly onDraft: (edits: Edits) => void;
  readonly onClose: () => void;
}

interface Typed {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
  readonly ways: Readonly<Record<string, ConflictChoice>>;
}

const nothing: Typed = { id: '', values: {}, ways: {} };

/** TXT records are usually kept together; other types are usually replaced. */
const usualWay = ({ type, can_merge }: Conflict): ConflictChoice => (type === 'TXT' && can_merge ? 'merge' : 'replace');

/** The inputs, and the preview that finds conflicts. After the conflicts are decided, the preview runs again. */
function useTemplate({ loaded, base }: Props, heads: readonly Head[] | undefined) {
  const draft = useDraft<Typed>(`zones/${loaded.domainId}/template`, nothing);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const { id, values, ways } = draft.value;
  const head = heads?.find((each) => each.template_id === id);
  const path = { domain_id: loaded.domainId };
  const preview = async (onSeen: (ready: PreparedTemplate) => void) => {
    if (!head || isBusy) return;
    setBusy(true);
    setError(undefined);
    const choices = conflicts.map((each) => {
      return { name: each.name, type: each.type, way: ways[keyOf(each)] ?? usualWay(each) };
    });
    const order = { template_id: id, values: valuesOf(head, values), choices };
    const send = async (more: Parameters<Sender>[0], options: CallOptions): Promise<Applied> =>
      (await call('post', '/domains/{domain_id}/zone/apply_template', { path, body: { ...order, ...more } }, options))
        .body;
    try {
      const seen = await send({ dry_run: true }, {});
      setConflicts(seen.conflicts);
      const isOpen = seen.conflicts.some(({ way }) => way === null);
      const idempotencyKey = `${draft.idempotencyKey}-${loaded.serial}`;
      if (!isOpen) onSeen({ edits: editsOfChange(base, seen), send, idempotencyKey });
    } catch (cause) {
      setError(asApiError(cause));
    }
    setBusy(false);
  };
  const choose = (next: string) => {
    setConflicts([]);
    draft.put({ id: next });
  };
  return { draft, head, conflicts, error, isBusy, preview, choose };
}

/** Chooses a template, its values and what to do with conflicts. The review comes next. */
export function TemplateDialog(props: Props) {
  const { loaded, onReview, onDraft, onClose } = props;
  const t = messages();
  const heads = useResource('/zone_templates', {});
  const { draft, head, conflicts, error, isBusy, preview, choose } = useTemplate(props, heads.data);
  const { id, values, ways } = draft.value;
  const isReady = head !== undefined && isFilled(head, values);
  return (
    <Dialog title={t.applyTo(loaded.origin.slice(0, -1))} onClose={onClose} size="large">
      {heads.error && <ErrorBanner error={heads.error} onRetry={heads.refetch} />}
      {!heads.data && !heads.error && <Skeleton rows={3} />}
      {heads.data && (
        <Form onSubmit={() => void preview(onReview)} error={error}>
          <ChooseTemplate heads={heads.data} value={id} onChoice={choose} />
          {head && (
            <ValueFields
              head={head}
              values={values}
              onValue={(name, value) => draft.set((now) => ({ ...now, values: { ...now.values, [name]: value } }))}
            />
          )}
          <Conflicts
            of={conflicts}
            ways={ways}
            onWay={(key, way) => draft.set((now) => ({ ...now, ways: { ...now.ways, [key]: way } }))}
          />
          <div class="actions">
            <Button kind="primary" type="submit" busy={isBusy} disabled={!isReady}>
              {t.next}
            </Button>
            <Button disabled={!isReady || isBusy} onClick={() => void preview(({ edits }) => onDraft(edits))}>
              {t.addToDraft}
            </Button>
          </div>
          <p class="faint">{t.addToDraftText}</p>
        </Form>
      )}
    </Dialog>
  );
}

interface ConflictsProps {
  readonly of: readonly Conflict[];
  readonly ways: Readonly<Record<string, ConflictChoice>>;
  readonly onWay: (key: string, way: ConflictChoice) => void;
}

function Conflicts({ of, ways, onWay }: ConflictsProps) {
  const t = messages();
  if (of.length === 0) return null;
  return (
    <section class="zone-template-conflicts" aria-live="polite">
      <p>
        <strong>{t.conflictText}</strong> <span class="faint">{t.mergeText}</span>
      </p>
      {of.map((each) => {
        const key = keyOf(each);
        const what = `${each.name.slice(0, -1)} ${each.type}`;
        return (
          <fieldset key={key}>
            <legend>{what}</legend>
            <dl>
              <dt>{t.zone}</dt>
              <dd>
                <code>{each.present.map(({ type, records }) => `${type} ${records.join('\n')}`).join('\n')}</code>
              </dd>
              <dt>{t.templateRecords}</dt>
              <dd>
                <code>{`${each.type} ${each.records.join('\n')}`}</code>
              </dd>
            </dl>
            <select
              aria-label={t.conflictChoiceFor(what)}
              value={ways[key] ?? usualWay(each)}
              onChange={(event) => onWay(key, event.currentTarget.value as ConflictChoice)}
            >
              {(['replace', ...(each.can_merge ? (['merge'] as const) : []), 'skip'] as const).map((way) => (
                <option key={way} value={way}>
                  {t.conflictChoices[way]}
                </option>
              ))}
            </select>
          </fieldset>
        );
      })}
    </section>
  );
}
