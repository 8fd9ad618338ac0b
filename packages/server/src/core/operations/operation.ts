import type { Approval, approvalChoices } from '../approvals/approval.ts';
import type { Evidence } from '../domains/registry/registry.ts';
import type { RefusalCode } from '../errors.ts';
import type { Kind, Kinds } from './kinds.ts';

export const openStates = ['intended', 'sent', 'unknown', 'waiting_registry', 'action_required'] as const;
export const finalStates = ['done', 'refused', 'cancelled'] as const;
export type OperationState = (typeof openStates)[number] | (typeof finalStates)[number];

/** By what an operation that is done is known to be done. */
export type Proof =
  /** The registry answered the deciding command with success. */
  | 'answered'
  /** The answer is missing; a question, or a message of the registry that led to one, brought the success to light. */
  | 'found'
  | 'poll'
  /** The registry had renewed by itself, and this renewal pays for it. */
  | 'auto_renewal'
  /** There was nothing to send. */
  | 'nothing_sent'
  /** A person decided so. */
  | 'operator';

export const choices = ['done', 'refused', 'ask_again'] as const;
export type Choice = (typeof choices)[number];

/** Why a person must decide, the operator or, where it waits for a second yes, the reseller. Shown to both: no secrets. */
export interface Attention {
  readonly why: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly choices: readonly (Choice | (typeof approvalChoices)[number] | 'new_auth_code' | 'cancel')[];
}

export interface Decision {
  readonly says: Choice;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
  /** Before somebody gives it up: the registry is asked, and nothing is ordered. Counts for a while only, should nothing follow. */
  readonly onlyAsks?: true;
}

export interface Step {
  readonly name: string;
  readonly at: string;
  readonly result?: string;
  readonly code?: number;
}

/** The person who ordered it, as called then. */
export interface OrderingUser {
  readonly id: string;
  readonly name: string;
  readonly session_id: string;
}

/** What is stored of every operation, whatever its kind. */
interface OperationRow {
  readonly id: string;
  readonly reseller_id: string;
  readonly registry_id: string | null;
  readonly secrets_sealed: string | null;
  readonly state: OperationState;
  readonly steps: Step[];
  readonly transaction_id: string | null;
  /** What the reseller's customer is billed for it. */
  readonly bill_id: string | null;
  readonly result_code: number | null;
  readonly result_text: string | null;
  readonly reasons: string[];
  readonly cltrid: string | null;
  readonly svtrid: string | null;
  readonly request_id: string | null;
  readonly key_id: string | null;
  readonly person: OrderingUser | null;
  readonly attempts: number;
  /** Attempts that met trouble of the registry; only these make the next wait longer. */
  readonly setbacks: number;
  readonly due_at: Date;
  /** A random token, new at each claim: whoever holds an older one can neither send nor settle. */
  readonly fence: string;
  readonly proof: Proof | null;
  readonly attention: Attention | null;
  readonly decision: Decision | null;
  /** What a second yes was asked for, and how it was answered. */
  readonly approval: Approval | null;
  /** Set while it waits for that yes: nothing of it is under way, and it lapses then. */
  readonly approval_until: Date | null;
  /** A move: the other reseller, who has to say yes; null where there is none such. */
  readonly taker_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly finished_at: Date | null;
}

interface Subject {
  domain: { readonly domain_id: string; readonly contact_id: null };
  contact: { readonly domain_id: null; readonly contact_id: string };
  account: { readonly domain_id: null; readonly contact_id: null };
}

/** The plan while it goes on; what it ended with when it is done, or why not. */
type Outcome<K extends Kind> = Partial<Kinds[K]['outcome']> & {
  readonly plan?: Kinds[K]['plan'];
  readonly error?: NonNullable<Refused['error']>;
};

/** An operation of this kind, or of one of these: what was asked, how far it got, what the registry said. */
export type OperationOf<K extends Kind> = {
  [P in K]: OperationRow &
    Subject[Kinds[P]['on']] & {
      readonly kind: P;
      readonly request: Kinds[P]['request'];
      readonly outcome: Outcome<P> | null;
    };
}[K];
export type Operation = OperationOf<Kind>;

export function isFinal(state: OperationState): boolean {
  return (finalStates as readonly string[]).includes(state);
}

export const operationLimits = {
  retryFirstMs: 2_000,
  /** A registry that is back is noticed by every operation within this time and the breaker's pause. */
  retryMaxMs: 20_000,
  /** After an error of our own. */
  ownErrorMs: 5_000,
  /** The registry has accepted and said that it will tell; its message may get lost, so it is asked too, less and less often. */
  waitFirstMs: 20_000,
  waitMaxMs: 300_000,
  /** So many troubled attempts, and the operator is called. */
  alarmAfter: 5,
  stepsKept: 60,
  /** After an end with a command that never answered; then after ever longer times (`core/reconciliation/recheck-orders.ts`). */
  firstCheckMs: 300_000,
};

/** Wait before the next try: doubling, bounded. */
export function retryDelayMs(setbacks: number): number {
  return Math.min(operationLimits.retryMaxMs, operationLimits.retryFirstMs * 2 ** Math.min(setbacks, 12));
}

/** Wait for the registry's own word: a quarter of the time that it has waited already, bounded. */
export function waitDelayMs(waitedMs: number): number {
  return Math.min(operationLimits.waitMaxMs, Math.max(operationLimits.waitFirstMs, waitedMs / 4));
}

export interface Refused {
  readonly evidence: Evidence;
  /** Code of the catalogue and a sentence, where the workflow knows better than the registry's words. */
  readonly error?: { readonly code: RefusalCode; readonly sentence: string; readonly field?: string };
}
