import type { Operation } from '../../model/operation.ts';
import { lockTexts, type TransferLock } from '../../policy/lock.ts';
import type { HostUser } from '../life.sql.ts';
import { flagReasons } from './flag-reasons.ts';
import type { Action, Reason, Subject } from './reason.ts';
import { stateReasons } from './state-reasons.ts';
import { statusReasons } from './status-reasons.ts';

/** A domain has at most one open operation. */
function operationReasons(operation: Operation | undefined): Reason[] {
  if (!operation) return [];
  const because = `operation ${operation.id} (${operation.kind})`;
  const isUnsent = operation.state === 'intended';
  return [
    {
      because,
      setBy: 'platform',
      sentence: `cannot be changed: ${because} is in progress.`,
      code: 'operation_in_progress',
      help: isUnsent ? { action: 'cancel_operation', operation: operation.id } : null,
      advice: isUnsent ? 'wait for it, or cancel it' : 'wait for it',
    },
  ];
}

/** These locks end only with time. */
function lockReasons(action: Action, locks: readonly TransferLock[]): Reason[] {
  return locks
    .filter((lock) => lock.against === action)
    .map(({ after, against, until }) => ({
      because: `lock after ${lockTexts[after]}`,
      setBy: 'platform',
      sentence: `cannot be ${against === 'move' ? 'moved' : 'transferred'} before ${until.toISOString()}: the lock after ${lockTexts[after]} lasts until then.`,
      code: 'domain_blocked',
      facts: { until: until.toISOString() },
      help: null,
      advice: null,
    }));
}

/** Nameservers below the domain are deleted with it, so domains that use them would stop resolving. */
function hostReasons(domain: Subject, action: Action, users: readonly HostUser[]): Reason[] {
  if (action !== 'delete' || users.length === 0) return [];
  const own = users.filter((user) => user.reseller_id === domain.reseller_id).map((user) => user.name);
  const nameservers = [...new Set(users.map((user) => user.hostname))];
  const who = own.length > 0 ? own.join(', ') : 'domains of other accounts';
  const because = `its nameserver ${nameservers.join(', ')} is used by ${who}`;
  return [
    {
      because,
      setBy: own.length > 0 ? 'reseller' : 'platform',
      sentence: `cannot be deleted: ${because}.`,
      code: 'in_use',
      facts: { nameservers },
      help: null,
      advice: own.length > 0 ? 'give those domains other nameservers first' : null,
    },
  ];
}

/** Conditions outside the domain's own row. */
export interface Circumstances {
  readonly operation?: Operation | undefined;
  /** Other domains that use nameservers below this one. */
  readonly hostUsers?: readonly HostUser[];
  /** Transfer policy locks that are in force now. */
  readonly locks?: readonly TransferLock[];
}

/** Every reason against an action on a domain; empty if it is allowed. The first reason is the one that a refusal reports. */
export function reasonsAgainst(domain: Subject, action: Action, circumstances: Circumstances = {}): Reason[] {
  return [
    ...stateReasons(domain, action),
    ...flagReasons(domain, action),
    ...statusReasons(domain, action),
    ...lockReasons(action, circumstances.locks ?? []),
    ...hostReasons(domain, action, circumstances.hostUsers ?? []),
    ...operationReasons(circumstances.operation),
  ];
}
