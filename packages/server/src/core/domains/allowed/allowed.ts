import type { ErrorCode } from '../../errors.ts';
import type { Help } from '../../help.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Domain } from '../domain.ts';
import type { HostUser } from '../life.sql.ts';
import { flagReasons } from './flag-reasons.ts';
import { hostReasons } from './host-reasons.ts';
import { operationReasons } from './operation-reasons.ts';
import { stateReasons } from './state-reasons.ts';
import { statusReasons } from './status-reasons.ts';

/** What can be asked for on a name. `update` is every change that has no word of its own here. */
export const actions = [
  'renew',
  'update',
  'delete',
  'transfer',
  'restore',
  'lock',
  'unlock',
  'suspend',
  'resume',
] as const;
/** Nobody asks for `withdraw_code`: the clockwork takes auth codes back that have had their time. */
export type Action = (typeof actions)[number] | 'withdraw_code';

/** What of a name bears on it. */
export type Subject = Pick<
  Domain,
  | 'id'
  | 'reseller_id'
  | 'state'
  | 'locked'
  | 'locked_reason'
  | 'suspended'
  | 'suspended_reason'
  | 'theft_protection'
  | 'registry_status'
>;

/** Why something cannot be done now. */
export interface Reason {
  /** A status of the registry, a flag of ours, a state or an operation. */
  readonly because: string;
  readonly setBy: 'reseller' | 'platform' | 'registry';
  /** What a refusal says after the name. */
  readonly sentence: string;
  readonly code: ErrorCode;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What removes it: an action, or words where there is none; null where nothing but time helps. */
  readonly help: Help | null;
  readonly advice: string | null;
}

/** What bears on it besides the name itself. */
export interface Circumstances {
  readonly operation?: Operation | undefined;
  /** Names that use nameservers below this one. */
  readonly hostUsers?: readonly HostUser[];
}

/** The one answer to "may this be done now": none, or every reason against it, the first to be told first. */
export function reasonsAgainst(domain: Subject, action: Action, circumstances: Circumstances = {}): Reason[] {
  return [
    ...stateReasons(domain, action),
    ...flagReasons(domain, action),
    ...statusReasons(domain, action),
    ...hostReasons(domain, action, circumstances.hostUsers ?? []),
    ...operationReasons(circumstances.operation),
  ];
}
