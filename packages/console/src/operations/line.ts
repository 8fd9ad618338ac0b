import type { Shape } from '../api/shapes.ts';
import type { Step } from '../parts/steps.tsx';
import { words } from './words.ts';

type Operation = Shape<'Operation'>;

/** How many of the four steps are behind it. What was sent and not answered stands at the third: the registry's word is missing. */
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

/** Whether anything of it left for the registry; what waits for a yes of the account has not. */
const hasLeft = ({ state, steps, cltrid }: Operation) =>
  cltrid !== null || steps.length > 0 || state === 'sent' || state === 'unknown' || state === 'waiting_registry';

/** Placed → sent → registry says → settled. */
export function lineOf(operation: Operation): readonly Step[] {
  const w = words();
  const { state, transaction_id, result_text, result_code } = operation;
  const isPaid = transaction_id !== null;
  const left = hasLeft(operation);
  const behind = state === 'action_required' && !left ? 1 : reached[state];
  const stateAt = (n: number): Step['state'] => (n < behind ? 'done' : n === behind ? 'now' : 'ahead');
  const answer = result_text ? `${result_code ?? ''} ${result_text}`.trim() : undefined;
  const placed: Step = { key: 'placed', label: w.placed, state: stateAt(0), note: isPaid ? w.moneyHeld : undefined };
  if (!left && (state === 'cancelled' || state === 'refused'))
    return [placed, { key: 'settled', label: w.settled, state: 'failed', note: w.ended(state, isPaid) }];
  const says = state === 'refused' ? 'failed' : stateAt(2);
  return [
    placed,
    { key: 'sent', label: w.sent, state: stateAt(1), note: left ? undefined : w.notSent },
    { key: 'says', label: w.says, state: says, note: state === 'unknown' ? w.noAnswer : answer },
    {
      key: 'settled',
      label: w.settled,
      state: state === 'refused' || state === 'cancelled' ? 'failed' : stateAt(3),
      note: operation.is_final ? w.ended(state, isPaid) : undefined,
    },
  ];
}
