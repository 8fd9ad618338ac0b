import { useState } from 'preact/hooks';
import { call, type Manner } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Form } from '../parts/form.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { type Edits, keyOf, type RRsetText } from './draft.ts';
import type { LoadedZone } from './load.ts';
import type { Sender } from './review.tsx';
import { ChooseTemplate, type Head, isFilled, ValueFields, valuesOf } from './template-form.tsx';
import { editsOfChange } from './template-lines.ts';
import { words } from './template-words.ts';

type Conflict = Shape<'ZoneTemplateConflict'>;
type Way = 'replace' | 'merge' | 'skip';
type Applied = Shape<'ZoneTemplateApplied'>;

/** What a template comes to: the change, and how it is sent. */
export interface Ready {
  readonly edits: Edits;
  readonly send: Sender;
  readonly idempotencyKey: string;
}

interface Given {
  readonly loaded: LoadedZone;
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly onReview: (ready: Ready) => void;
  readonly onDraft: (edits: Edits) => void;
  readonly onClose: () => void;
}

interface Typed {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
  readonly ways: Readonly<Record<string, Way>>;
}

const nothing: Typed = { id: '', values: {}, ways: {} };

/** Words of a TXT stand beside others; of everything else there is usually one. */
const usualWay = ({ type, can_merge }: Conflict): Way => (type === 'TXT' && can_merge ? 'merge' : 'replace');

/** What was typed, and looking at what it comes to: once more with what was said about conflicts, which the first look finds. */
function useTemplate({ loaded, base }: Given, heads: readonly Head[] | undefined) {
  const draft = useDraft<Typed>(`zones/${loaded.domainId}/template`, nothing);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [trouble, setTrouble] = useState<Trouble>();
  const [isBusy, setBusy] = useState(false);
  const { id, values, ways } = draft.value;
  const head = heads?.find((each) => each.template_id === id);
  const path = { domain_id: loaded.domainId };
  const look = async (onSeen: (ready: Ready) => void) => {
    if (!head || isBusy) return;
    setBusy(true);
    setTrouble(undefined);
    const choices = conflicts.map((each) => {
      return { name: each.name, type: each.type, way: ways[keyOf(each)] ?? usualWay(each) };
    });
    const order = { template_id: id, values: valuesOf(head, values), choices };
    const send = async (more: Parameters<Sender>[0], manner: Manner): Promise<Applied> =>
      (await call('post', '/domains/{domain_id}/zone/apply_template', { path, body: { ...order, ...more } }, manner))
        .body;
    try {
      const seen = await send({ dry_run: true }, {});
      setConflicts(seen.conflicts);
      const isOpen = seen.conflicts.some(({ way }) => way === null);
      const idempotencyKey = `${draft.idempotencyKey}-${loaded.serial}`;
      if (!isOpen) onSeen({ edits: editsOfChange(base, seen), send, idempotencyKey });
    } catch (error) {
      setTrouble(asTrouble(error));
    }
    setBusy(false);
  };
  const choose = (next: string) => {
    setConflicts([]);
    draft.put({ id: next });
  };
  return { draft, head, conflicts, trouble, isBusy, look, choose };
}

/** A template, what it asks for, and what happens where the zone has something else. Nothing is applied here: the review comes next. */
export function TemplateDialog(given: Given) {
  const { loaded, onReview, onDraft, onClose } = given;
  const w = words();
  const heads = useResource('/zone_templates', {});
  const { draft, head, conflicts, trouble, isBusy, look, choose } = useTemplate(given, heads.data);
  const { id, values, ways } = draft.value;
  const isReady = head !== undefined && isFilled(head, values);
  return (
    <Dialog title={w.applyTo(loaded.origin.slice(0, -1))} onClose={onClose} size="large">
      {heads.trouble && <TroubleNote trouble={heads.trouble} onAgain={heads.again} />}
      {!heads.data && !heads.trouble && <Waiting rows={3} />}
      {heads.data && (
        <Form onSubmit={() => void look(onReview)} trouble={trouble}>
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
              {w.next}
            </Button>
            <Button disabled={!isReady || isBusy} onClick={() => void look(({ edits }) => onDraft(edits))}>
              {w.intoDraft}
            </Button>
          </div>
          <p class="faint">{w.intoDraftSays}</p>
        </Form>
      )}
    </Dialog>
  );
}

interface ConflictsGiven {
  readonly of: readonly Conflict[];
  readonly ways: Readonly<Record<string, Way>>;
  readonly onWay: (key: string, way: Way) => void;
}

function Conflicts({ of, ways, onWay }: ConflictsGiven) {
  const w = words();
  if (of.length === 0) return null;
  return (
    <section class="zone-template-conflicts" aria-live="polite">
      <p>
        <strong>{w.inTheWay}</strong> <span class="faint">{w.mergeSays}</span>
      </p>
      {of.map((each) => {
        const key = keyOf(each);
        const what = `${each.name.slice(0, -1)} ${each.type}`;
        return (
          <fieldset key={key}>
            <legend>{what}</legend>
            <dl>
              <dt>{w.zoneHas}</dt>
              <dd>
                <code>{each.present.map(({ type, records }) => `${type} ${records.join('\n')}`).join('\n')}</code>
              </dd>
              <dt>{w.brings}</dt>
              <dd>
                <code>{`${each.type} ${each.records.join('\n')}`}</code>
              </dd>
            </dl>
            <select
              aria-label={w.wayOf(what)}
              value={ways[key] ?? usualWay(each)}
              onChange={(event) => onWay(key, event.currentTarget.value as Way)}
            >
              {(['replace', ...(each.can_merge ? (['merge'] as const) : []), 'skip'] as const).map((way) => (
                <option key={way} value={way}>
                  {w.ways[way]}
                </option>
              ))}
            </select>
          </fieldset>
        );
      })}
    </section>
  );
}
