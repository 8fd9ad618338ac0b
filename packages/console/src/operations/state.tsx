import type { Schema } from '../api/shapes.ts';
import { Badge } from '../components/status-icon.tsx';
import { isCustomer } from '../session/current-session.ts';
import { isCodeRefused, isRetrying } from './line.ts';
import { messages } from './messages.ts';

type OperationState = Schema<'Operation'>['state'];

/** The states of the API, open ones first. */
export const states: readonly OperationState[] = [
  'action_required',
  'unknown',
  'waiting_registry',
  'sent',
  'intended',
  'done',
  'refused',
  'cancelled',
];

const tones: Readonly<Partial<Record<OperationState, 'good' | 'warn' | 'bad'>>> = {
  done: 'good',
  refused: 'bad',
  unknown: 'warn',
  action_required: 'warn',
};

type Shown = Pick<Schema<'Operation'>, 'state' | 'attention' | 'approval' | 'attempts' | 'result_text'>;

export function State({ of: operation }: { readonly of: Shown }) {
  const t = messages();
  const { state, approval } = operation;
  // The registry still has the transfer, but only the user can continue.
  if (isCodeRefused(operation)) return <Badge tone="warn">{t.needsNewCode}</Badge>;
  const isWaiting = state === 'action_required' && approval !== null;
  const waits = isCustomer() ? t.waitsForProvider : t.waitsForApproval;
  const text = isWaiting ? waits : isRetrying(operation) ? t.retrying : t.states[state];
  return <Badge tone={tones[state] ?? 'plain'}>{text}</Badge>;
}
