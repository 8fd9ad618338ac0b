import type { RefusalCode } from '../errors.ts';
import type { Evidence } from '../ports/registry.ts';
import type { Approval, approvalChoices } from './approval.ts';
import type { Kind, Kinds } from './operation-kinds.ts';

/** The state machine of operations; the engine (`core/operations/`) changes the states. */
export const openStates = ['intended', 'sent', 'unknown', 'waiting_registry', 'action_required'] as const;
export const finalStates = ['done', 'refused', 'cancelled'] as const;
export type OperationState = (typeof openStates)[number] | (typeof finalStates)[number];

/** The evidence for the success of an operation. */
export type Proof =
  /** The registry answered the deciding command with success. */
  | 'answered'
  /** The answer is missing; a query, or a poll message that led to one, showed the success. */
  | 'found'
  | 'poll'
  /** The registry had auto-renewed, and this renewal pays for it. */
  | 'auto_renewal'
  /** There was nothing to send. */
  | 'nothing_sent'
  /** Decided by the operator. */
  | 'operator';

export const choices = ['done', 'refused', 'ask_again'] as const;
export type Choice = (typeof choices)[number];

/** Why a decision is needed, by the operator or, for an approval, by the reseller. Shown to both, so it contains no secrets. */
export interface Attention {
  readonly why: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly choices: readonly (Choice | (typeof approvalChoices)[number] | 'new_auth_code' | 'cancel')[];
}

export interface Decision {
  readonly says: Choice;
  readonly reason: string;
  readonly by: string;
  /** It is in effect for `operationLimits.decisionMs` from here on. */
  readonly at: string;
  /** A query before an order is given up: the registry is queried, and nothing is ordered. */
  readonly onlyAsks?: true;
}

export interface Step {
  readonly name: string;
  readonly at: string;
  readonly result?: string;
  readonly code?: number;
}

/** The user who ordered it, with the name at that time. */
export interface OrderingUser {
  readonly id: string;
  readonly name: string;
  readonly session_id: string;
}

/** The stored fields of every operation, whatever its kind. */
interface OperationRow {
  readonly id: string;
  readonly reseller_id: string;
  readonly registry_id: string | null;
  readonly secrets_sealed: string | null;
  readonly state: OperationState;
  readonly steps: Step[];
  readonly transaction_id: string | null;
  /** The bill of the reseller's customer. */
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
  /** Attempts that failed because of the registry; only these lengthen the retry delay. */
  readonly setbacks: number;
  readonly due_at: Date;
  /** A random token, new at each claim: a process with an older one can neither send nor settle. */
  readonly fence: string;
  readonly proof: Proof | null;
  readonly attention: Attention | null;
  readonly decision: Decision | null;
  /** The request for approval and its answer. */
  readonly approval: Approval | null;
  /** Set while it waits for approval. Nothing is in progress until then, and at this time the request expires. */
  readonly approval_until: Date | null;
  /** A move: the receiving reseller, which must accept it; null if there is no such reseller. */
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

/** The plan while it is open; its result when it is done, or the reason for its refusal. */
type Outcome<K extends Kind> = Partial<Kinds[K]['outcome']> & {
  readonly plan?: Kinds[K]['plan'];
  readonly error?: NonNullable<Refused['error']>;
};

/** An operation of this kind, or of one of these kinds, with its typed request, plan and result. */
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
  /** Bounds the time until every operation notices that a registry is available again, in addition to the circuit breaker's pause. */
  retryMaxMs: 20_000,
  /** After an internal error. */
  ownErrorMs: 5_000,
  /**
   * The registry has accepted the command and will send a poll message. The message may be lost, so it is also queried, less and less
   * often.
   */
  waitFirstMs: 20_000,
  waitMaxMs: 300_000,
  /** After this many failed attempts the operator gets an alarm. */
  alarmAfter: 5,
  stepsKept: 60,
  /** A decision that has not settled the operation by then has no effect any more: its process died before it could answer. */
  decisionMs: 120_000,
  /** How long a decision waits for the attempt that it needs. */
  decidedAttemptMs: 15_000,
  /** First check after an operation ended with a command without an answer; later checks are in `core/reconciliation/recheck-orders.ts`. */
  firstCheckMs: 300_000,
};

/** Wait before the next try: doubling, bounded. */
export function retryDelayMs(failedAttempts: number): number {
  return Math.min(operationLimits.retryMaxMs, operationLimits.retryFirstMs * 2 ** Math.min(failedAttempts, 12));
}

/** Wait for a review by the registry: a quarter of the time that it has waited already, bounded. */
export function waitDelayMs(waitedMs: number): number {
  return Math.min(operationLimits.waitMaxMs, Math.max(operationLimits.waitFirstMs, waitedMs / 4));
}

export interface Refused {
  readonly evidence: Evidence;
  /** A code of the catalogue and a sentence, if the workflow has a better one than the registry's text. */
  readonly error?: { readonly code: RefusalCode; readonly sentence: string; readonly field?: string };
}
