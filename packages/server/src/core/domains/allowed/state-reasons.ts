import type { Help } from '../../help.ts';
import type { DomainState } from '../domain.ts';
import type { Action, Reason, Subject } from './reason.ts';

const participles: Partial<Record<Action, string>> = {
  renew: 'renewed',
  delete: 'deleted',
  restore: 'restored',
  transfer: 'transferred',
};

const inWords: Record<DomainState, string> = {
  pending: 'its registration or transfer is not finished',
  live: 'it is not deleted',
  redemption: 'it was deleted and is in redemption; restore it first',
  pending_restore: 'its restore is not finished',
  pending_delete: 'its redemption period is over, and it is about to be dropped',
  pending_transfer: 'a transfer is under way',
  removed: 'it is no longer here',
};

const advice: Record<DomainState, string | null> = {
  pending: 'wait for the order to end',
  live: null,
  redemption: null,
  pending_restore: 'wait for the restore',
  pending_delete: null,
  pending_transfer: 'wait for the transfer to end',
  removed: null,
};

/** A name is restored out of redemption; everything else is for a living one. */
export function stateReasons(domain: Subject, action: Action): Reason[] {
  const { state } = domain;
  if (state === (action === 'restore' ? 'redemption' : 'live')) return [];
  const isDeleted = action === 'delete' && (state === 'redemption' || state === 'pending_delete');
  const restore: Help | null = state === 'redemption' ? { action: 'restore', domain: domain.id } : null;
  return [
    {
      because: state === 'live' ? 'it is not deleted' : `state ${state}`,
      setBy: state === 'live' || state === 'redemption' ? 'reseller' : 'registry',
      sentence: isDeleted ? 'is deleted already' : `cannot be ${participles[action] ?? 'changed'}: ${inWords[state]}`,
      code: 'conflict',
      facts: { domainState: state },
      help: isDeleted ? null : restore,
      advice: advice[state],
    },
  ];
}
