import type { RefusalCode } from '../../errors.ts';
import type { Help } from '../../help.ts';
import type { Domain } from '../domain.ts';

/** What can be asked for on a name. `update` is every change that has no word of its own here. */
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
  | 'suspended_open'
  | 'theft_protection'
  | 'registry_status'
  | 'end_date'
  | 'registry_expires_at'
  | 'grace_ends_at'
  | 'kept_until'
>;

/** Why something cannot be done now. */
export interface Reason {
  /** A status of the registry, a flag of ours, a state or an operation. */
  readonly because: string;
  readonly setBy: 'reseller' | 'platform' | 'registry';
  /** What a refusal says after the name. */
  readonly sentence: string;
  readonly code: RefusalCode;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What removes it: an action, or words where there is none; null where nothing but time helps. */
  readonly help: Help | null;
  readonly advice: string | null;
}
