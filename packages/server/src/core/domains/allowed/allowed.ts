import type { Operation } from '../../model/operation.ts';
import type { TransferLock } from '../../policy/lock.ts';
import type { HostUser } from '../life.sql.ts';
import { flagReasons } from './flag-reasons.ts';
import { hostReasons } from './host-reasons.ts';
import { lockReasons } from './lock-reasons.ts';
import { operationReasons } from './operation-reasons.ts';
import type { Action, Reason, Subject } from './reason.ts';
import { stateReasons } from './state-reasons.ts';
import { statusReasons } from './status-reasons.ts';

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
