import type { Schema } from '../api/shapes.ts';
import type { Step } from '../components/steps.tsx';
import { isCustomer } from '../session/current-session.ts';
import { messages } from './messages.ts';

type Operation = Schema<'Operation'>;

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

/** Whether a command was sent to the registry. Nothing is sent before the approval, even if an id for it is reserved. */
const wasSent = ({ state, steps, cltrid, approval }: Operation) =>
  (!approval || approval.answer === 'given') &&
  (cltrid !== null || steps.length > 0 || state === 'sent' || state === 'unknown' || state === 'waiting_registry');

/** The change that waits for an approval, or did not get one. */
function requestText({ kind, approval }: Pick<Operation, 'kind' | 'approval'>): string {
  const t = messages();
  if (!approval) return t.kindOf(kind);
  const [flag, isOn] = Object.entries(approval.wanted).find(([, value]) => typeof value === 'boolean') ?? [];
  if (flag === undefined) return t.kindOf(kind, approval.change === 'ds' ? 'dnssec' : approval.change);
  return t.requestTo(flag, isOn === true) ?? t.kindOf(kind, flag);
}

/** The kind of an operation, and what a change changes or changed. Only a change that was made has an outcome. */
export function kindText({ kind, outcome, approval }: Pick<Operation, 'kind' | 'outcome' | 'approval'>): string {
  if (kind === 'update' && !outcome) return requestText({ kind, approval });
  const t = messages();
  const changed = Array.isArray(outcome?.changed) ? String(outcome.changed[0]) : '';
  const isOn = outcome?.turned_on;
  return (typeof isOn === 'boolean' ? t.switched(changed, isOn) : undefined) ?? t.kindOf(kind, changed);
}

/** Whether another key or user of the account must approve the operation. */
export const isAwaitingApproval = ({ approval, attention }: Operation): boolean =>
  approval !== null && !isCustomer() && (attention?.choices.includes('approve') ?? false);

/** The step of the approval, for an operation that needs one. */
function approvalStep({ state, approval }: Operation): readonly Step[] {
  const t = messages();
  if (!approval) return [];
  const isGiven = approval.answer === 'given';
  return [
    {
      key: 'approval',
      label: t.approval,
      state: isGiven ? 'done' : state === 'action_required' ? 'now' : 'failed',
      note: approval.answer === null || isGiven ? undefined : t.results[approval.answer],
    },
  ];
}

/** Whether the current registrar refused the auth code of a transfer. */
export const isCodeRefused = ({ attention }: Pick<Operation, 'attention'>): boolean =>
  attention?.choices.includes('new_auth_code') ?? false;

/** An order that waits after an attempt that the registry did not accept, for example during its maintenance. */
export const isRetrying = ({ state, attempts, result_text }: Pick<Operation, 'state' | 'attempts' | 'result_text'>) =>
  state === 'intended' && (result_text !== null || attempts > 1);

/** The registry's text matters only if the registry refused the order. */
function responseOf(operation: Operation): string | undefined {
  const t = messages();
  const { state, result_text } = operation;
  if (state === 'unknown') return t.noAnswer;
  if (state === 'done') return t.confirmed;
  if (isCodeRefused(operation)) return t.states.refused;
  if (state === 'waiting_registry') return t.accepted;
  return state === 'refused' ? (result_text ?? undefined) : undefined;
}

/** The steps: accepted, approved, sent, registry response, result. */
export function lineOf(operation: Operation): readonly Step[] {
  const t = messages();
  const { state, transaction_id } = operation;
  // Customers may pay later, by an invoice.
  const isPaid = transaction_id !== null;
  const left = wasSent(operation);
  const approval = approvalStep(operation);
  const isApproving = approval.some((step) => step.state === 'now');
  const behind = state === 'action_required' && !left ? 1 : reached[state];
  const stateAt = (n: number): Step['state'] => (n < behind ? 'done' : n === behind && !isApproving ? 'now' : 'ahead');
  const placed: Step = {
    key: 'placed',
    label: t.placed,
    state: stateAt(0),
    note: isPaid && !isCustomer() ? t.moneyHeld : undefined,
  };
  if (!left && (state === 'cancelled' || state === 'refused'))
    return [placed, ...approval, { key: 'settled', label: t.settled, state: 'failed', note: t.ended(state, isPaid) }];
  // No registry is involved.
  if (operation.kind === 'account_security')
    return [placed, ...approval, { key: 'settled', label: t.settled, state: stateAt(3) }];
  const registryState = state === 'refused' || isCodeRefused(operation) ? 'failed' : stateAt(2);
  return [
    placed,
    ...approval,
    {
      key: 'sent',
      label: t.sent,
      state: stateAt(1),
      note: isRetrying(operation) ? t.retrying : left || isApproving ? undefined : t.notSent,
    },
    { key: 'says', label: t.registryResponse, state: registryState, note: responseOf(operation) },
    {
      key: 'settled',
      label: t.settled,
      state: state === 'refused' || state === 'cancelled' ? 'failed' : stateAt(3),
      note: operation.is_final ? t.ended(state, isPaid && !(state === 'done' && isCustomer())) : undefined,
    },
  ];
}
