import type { Shape } from '../api/shapes.ts';
import type { Step } from '../components/steps.tsx';
import { messages } from './messages.ts';

type Operation = Shape<'Operation'>;

/** Completed steps by state. Without a response, the operation stays at the third step. */
const reached: Readonly<Record<Operation['state'], number>> = {
  intended: 1,
  sent: 2,
  unknown: 2,
  waiting_registry: 2,
  action_required: 2,
  done: 4,
  refused: 4,
  cancelled: 4,
};

/** Whether a command was sent to the registry. */
const wasSent = ({ state, steps, cltrid }: Operation) =>
  cltrid !== null || steps.length > 0 || state === 'sent' || state === 'unknown' || state === 'waiting_registry';

/** The kind of an operation, and what a change changed. */
export const kindText = ({ kind, outcome }: Pick<Operation, 'kind' | 'outcome'>): string => {
  const changed = outcome?.changed;
  return messages().kindOf(kind, Array.isArray(changed) ? String(changed[0]) : undefined);
};

/** The steps: accepted, sent, registry response, result. */
export function lineOf(operation: Operation): readonly Step[] {
  const t = messages();
  const { state, transaction_id, result_text, result_code } = operation;
  const isPaid = transaction_id !== null;
  const left = wasSent(operation);
  const behind = state === 'action_required' && !left ? 1 : reached[state];
  const stateAt = (n: number): Step['state'] => (n < behind ? 'done' : n === behind ? 'now' : 'ahead');
  const answer = result_text ? `${result_code ?? ''} ${result_text}`.trim() : undefined;
  // The text of the registry matters only if it is not a plain success.
  const response = state === 'unknown' ? t.noAnswer : state === 'done' ? t.confirmed : answer;
  const placed: Step = { key: 'placed', label: t.placed, state: stateAt(0), note: isPaid ? t.moneyHeld : undefined };
  if (!left && (state === 'cancelled' || state === 'refused'))
    return [placed, { key: 'settled', label: t.settled, state: 'failed', note: t.ended(state, isPaid) }];
  const registryState = state === 'refused' ? 'failed' : stateAt(2);
  return [
    placed,
    { key: 'sent', label: t.sent, state: stateAt(1), note: left ? undefined : t.notSent },
    { key: 'says', label: t.registryResponse, state: registryState, note: response },
    {
      key: 'settled',
      label: t.settled,
      state: state === 'refused' || state === 'cancelled' ? 'failed' : stateAt(3),
      note: operation.is_final ? t.ended(state, isPaid) : undefined,
    },
  ];
}
