import type { Shape } from '../api/shapes.ts';
import { Badge } from '../components/light.tsx';
import { messages } from './messages.ts';

type OperationState = Shape<'Operation'>['state'];

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

type Shown = Pick<Shape<'Operation'>, 'state' | 'approval'>;

export function State({ of: { state, approval } }: { readonly of: Shown }) {
  const t = messages();
  const isWaiting = state === 'action_required' && approval !== null;
  return <Badge tone={tones[state] ?? 'plain'}>{isWaiting ? t.waitsForApproval : t.states[state]}</Badge>;
}
