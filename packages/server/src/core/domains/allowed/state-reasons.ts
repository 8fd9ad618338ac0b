import type { Help } from '../../help.ts';
import type { DomainState } from '../../model/domain.ts';
import type { Action, Reason, Subject } from './reason.ts';

const participles: Partial<Record<Action, string>> = {
  renew: 'renewed',
  delete: 'deleted',
  restore: 'restored',
  transfer: 'transferred',
  move: 'moved',
  answer_transfer: 'approved or rejected for transfer',
};

const stateText: Record<DomainState, string> = {
  pending: 'its registration or transfer is not finished',
  live: 'it is not deleted',
  redemption: 'it was deleted and is in redemption. Restore it first',
  pending_restore: 'its restore is not finished',
  pending_delete: 'its redemption period is over and it will be deleted soon',
  pending_transfer: 'a transfer is in progress',
  removed: 'it is no longer here',
  unpaid: 'its order is waiting for payment. Pay it, run it without payment, or cancel it',
};

const notSo = (action: Action): string =>
  action === 'answer_transfer' ? 'no other registrar requests it' : stateText.live;

const advice: Record<DomainState, string | null> = {
  pending: 'wait for the order to end',
  live: null,
  redemption: null,
  pending_restore: 'wait for the restore',
  pending_delete: null,
  pending_transfer: 'approve or reject the transfer, or wait for its end',
  removed: null,
  unpaid: 'pay, execute or cancel the order',
};

const neededState: Partial<Record<Action, DomainState>> = {
  restore: 'redemption',
  answer_transfer: 'pending_transfer',
};

/**
 * A domain is restored only in redemption, and a transfer is answered only while one is requested. Every other action needs an active
 * domain.
 */
export function stateReasons(domain: Subject, action: Action): Reason[] {
  const { state } = domain;
  if (state === (neededState[action] ?? 'live')) return [];
  const isDeleted = action === 'delete' && (state === 'redemption' || state === 'pending_delete');
  const restore: Help | null = state === 'redemption' ? { action: 'restore', domain: domain.id } : null;
  return [
    {
      because: state === 'live' ? notSo(action) : `state ${state}`,
      setBy: state === 'live' || state === 'redemption' || state === 'unpaid' ? 'reseller' : 'registry',
      sentence: isDeleted
        ? 'is already deleted.'
        : `cannot be ${participles[action] ?? 'changed'}: ${state === 'live' ? notSo(action) : stateText[state]}.`,
      code: 'conflict',
      facts: { domainState: state },
      help: isDeleted ? null : restore,
      advice: advice[state],
    },
  ];
}
