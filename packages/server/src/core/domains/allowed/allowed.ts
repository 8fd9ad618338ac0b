import type { Operation } from '../../operations/operation.ts';
import type { TransferLock } from '../../policy/lock.ts';
import type { HostUser } from '../life.sql.ts';
import { flagReasons } from './flag-reasons.ts';
import { hostReasons } from './host-reasons.ts';
import { lockReasons } from './lock-reasons.ts';
import { operationReasons } from './operation-reasons.ts';
import type { Action, Reason, Subject } from './reason.ts';
import { stateReasons } from './state-reasons.ts';
import { statusReasons } from './status-reasons.ts';

/** What bears on it besides the name itself. */
export interface Circumstances {
  readonly operation?: Operation | undefined;
  /** Names that use nameservers below this one. */
  readonly hostUsers?: readonly HostUser[];
  /** Those of policy that hold now. */
  readonly locks?: readonly TransferLock[];
}

/** The one answer to "may this be done now": none, or every reason against it, the first to be told first. */
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
