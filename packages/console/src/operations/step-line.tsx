import { useEffect, useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { momentText, readMoment } from '../components/moment.tsx';
import { Steps } from '../components/steps.tsx';
import { type Resource, useResource } from '../data/resource.ts';
import { isCustomer } from '../session/current-session.ts';
import { isCodeRefused, isRetrying, lineOf } from './line.ts';
import { messages } from './messages.ts';

type Operation = Schema<'Operation'>;

/** There are no events for steps, so an open operation is polled. */
const often = { everyMs: 3_000 };

export function useOperation(id: string): Resource<Operation> {
  const [isOpen, setOpen] = useState(true);
  const resource = useResource('/operations/{operation_id}', { path: { operation_id: id } }, isOpen ? often : {});
  const isFinal = resource.data?.is_final ?? false;
  useEffect(() => setOpen(!isFinal), [isFinal]);
  return resource;
}

export const OperationLine = ({ operation }: { readonly operation: Operation }) => (
  <Steps label={messages().progress} steps={lineOf(operation)} />
);

/** What the operation waits for. Texts that the console does not have come from the service. */
function waitsForOf(operation: Operation): string | undefined {
  const t = messages();
  const { attention, approval } = operation;
  if (isCodeRefused(operation)) return t.codeRefused;
  if (approval && attention?.choices.includes('approve')) {
    const until = momentText(readMoment(approval.until), true);
    return isCustomer() ? t.waitingForProvider(until) : t.waitingForApproval(until);
  }
  if (approval?.change === 'holder' && attention)
    return t.waitingForRegistrants(momentText(readMoment(approval.until), true));
  if (approval?.change === 'move' && !approval.requester_revoked && attention && !attention.choices.includes('approve'))
    return t.waitingForMove(momentText(readMoment(approval.until), true));
  return undefined;
}

/** The current state. There is no retry, because a second order would be a second purchase. */
export function Now({ operation }: { readonly operation: Operation }) {
  const t = messages();
  const { state, is_final, attention, reasons, transaction_id } = operation;
  // While the operation is open, the reasons belong to an earlier attempt.
  if (is_final && reasons.length === 0) return null;
  const waits = waitsForOf(operation);
  const money = transaction_id !== null && !is_final ? ` ${t.onHold}` : '';
  return (
    <div class={`note ${waits || state === 'unknown' || state === 'action_required' ? 'warn' : ''}`} role="status">
      <div>
        <strong>{`${waits ?? (isRetrying(operation) ? t.retryingText : t.stateTexts[state])}${money}`}</strong>
        {attention && !waits && <p>{attention.why}</p>}
        {(is_final ? reasons : []).map((each) => (
          <p key={each}>{each}</p>
        ))}
        {!is_final && !isCodeRefused(operation) && state !== 'action_required' && <p class="faint">{t.canLeave}</p>}
      </div>
    </div>
  );
}

/** The progress of an operation, shown where it was ordered. */
export function StepLine({ id, onEnd }: { readonly id: string; readonly onEnd?: (operation: Operation) => void }) {
  const resource = useOperation(id);
  const operation = resource.data;
  useEffect(() => {
    if (operation?.is_final) onEnd?.(operation);
  }, [operation?.is_final]);
  if (resource.error) return <ErrorBanner error={resource.error} onRetry={resource.refetch} />;
  if (!operation) return <Skeleton rows={1} />;
  return (
    <div class="step-line">
      <OperationLine operation={operation} />
      <Now operation={operation} />
      <a href={`/app/operations/${id}`}>{messages().technicalDetails}</a>
    </div>
  );
}
