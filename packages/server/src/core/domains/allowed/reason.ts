import type { RefusalCode } from '../../errors.ts';
import type { Help } from '../../help.ts';
import type { Domain } from '../../model/domain.ts';

/** Actions on a domain. `update` is every change that has no action of its own here. */
export const actions = [
  'renew',
  'update',
  'delete',
  'transfer',
  'move',
  'answer_transfer',
  'restore',
  'lock',
  'unlock',
  'suspend',
  'resume',
] as const;
/** `withdraw_code` is not requested by a caller: a background job removes expired auth codes. */
export type Action = (typeof actions)[number] | 'withdraw_code';

/** The fields of a domain that decide what is allowed. */
export type Subject = Pick<
  Domain,
  | 'id'
  | 'reseller_id'
  | 'state'
  | 'locked'
  | 'locked_reason'
  | 'suspended'
  | 'suspended_reason'
  | 'suspended_open'
  | 'theft_protection'
  | 'registry_status'
  | 'end_date'
  | 'registry_expires_at'
  | 'grace_ends_at'
  | 'kept_until'
>;

/** Why an action is not allowed now. */
export interface Reason {
  /** A status of the registry, a flag of ours, a state or an operation. */
  readonly because: string;
  readonly setBy: 'reseller' | 'platform' | 'registry';
  /** The text that a refusal puts after the domain name. */
  readonly sentence: string;
  readonly code: RefusalCode;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What removes it: an action, or a text if there is none. Null if only time helps. */
  readonly help: Help | null;
  readonly advice: string | null;
}
