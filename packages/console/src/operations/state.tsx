import type { Shape } from '../api/shapes.ts';
import { Badge } from '../parts/light.tsx';
import { words } from './words.ts';

export type OperationState = Shape<'Operation'>['state'];

/** As the service names them; those that are not over come first. */
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

export function State({ state }: { readonly state: OperationState }) {
  return <Badge tone={tones[state] ?? 'plain'}>{words().states[state]}</Badge>;
}
