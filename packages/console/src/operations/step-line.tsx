import { useEffect, useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { type Resource, useResource } from '../data/resource.ts';
import { Waiting } from '../parts/empty.tsx';
import { momentText, readMoment } from '../parts/moment.tsx';
import { Steps } from '../parts/steps.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { lineOf } from './line.ts';
import { words } from './words.ts';

type Operation = Shape<'Operation'>;

/** No event tells of a step: as long as it is open it is asked for. */
const often = { everyMs: 3_000 };

export function useOperation(id: string): Resource<Operation> {
  const [isOpen, setOpen] = useState(true);
  const said = useResource('/operations/{operation_id}', { path: { operation_id: id } }, isOpen ? often : {});
  const isFinal = said.data?.is_final ?? false;
  useEffect(() => setOpen(!isFinal), [isFinal]);
  return said;
}

export const OperationLine = ({ operation }: { readonly operation: Operation }) => (
  <Steps label={words().line} steps={lineOf(operation)} />
);

/** What waits for somebody, in words of our own where there are some; the service says the rest in English. */
function waitsForOf({ attention, approval }: Operation): string | undefined {
  const w = words();
  if (attention?.choices.includes('new_auth_code')) return w.codeRefused;
  if (approval?.change === 'move' && attention && !attention.choices.includes('approve'))
    return w.moveWaits(momentText(readMoment(approval.until), true));
  return undefined;
}

/** What is true now, in a sentence. There is nothing to try again: while it is open, a second order would be a second purchase. */
export function Now({ operation }: { readonly operation: Operation }) {
  const w = words();
  const { state, is_final, attention, reasons, transaction_id } = operation;
  if (is_final && reasons.length === 0) return null;
  const waits = waitsForOf(operation);
  const money = transaction_id !== null && !is_final ? ` ${w.onHold}` : '';
  return (
    <div class={`note ${waits || state === 'unknown' || state === 'action_required' ? 'warn' : ''}`} role="status">
      <div>
        <strong>{`${waits ?? w.now[state]}${money}`}</strong>
        {attention && !waits && <p>{attention.why}</p>}
        {reasons.map((each) => (
          <p key={each}>{each}</p>
        ))}
        {!is_final && <p class="faint">{w.mayLeave}</p>}
      </div>
    </div>
  );
}

/** An order where it was placed: its steps and what is true now, instead of a wheel that turns. */
export function StepLine({ id, onEnd }: { readonly id: string; readonly onEnd?: (operation: Operation) => void }) {
  const said = useOperation(id);
  const operation = said.data;
  useEffect(() => {
    if (operation?.is_final) onEnd?.(operation);
  }, [operation?.is_final]);
  if (said.trouble) return <TroubleNote trouble={said.trouble} onAgain={said.again} />;
  if (!operation) return <Waiting rows={1} />;
  return (
    <div class="step-line">
      <OperationLine operation={operation} />
      <Now operation={operation} />
      <a href={`/app/operations/${id}`}>{words().evidence}</a>
    </div>
  );
}
