import type { Evidence } from '../domains/registry.ts';

export const openStates = ['intended', 'sent', 'unknown', 'waiting_registry', 'action_required'] as const;
export const finalStates = ['done', 'refused', 'cancelled'] as const;
export type OperationState = (typeof openStates)[number] | (typeof finalStates)[number];

export interface Step {
  readonly name: string;
  readonly at: string;
  readonly result?: string;
  readonly code?: number;
}

/** The workflow itself: what was asked, how far it got, what the registry said. */
export interface Operation {
  readonly id: string;
  readonly reseller_id: string;
  readonly kind: string;
  readonly domain_id: string | null;
  readonly contact_id: string | null;
  readonly registry_id: string | null;
  readonly request: Record<string, unknown>;
  readonly secrets_sealed: string | null;
  readonly state: OperationState;
  readonly steps: Step[];
  readonly transaction_id: string | null;
  readonly result_code: number | null;
  readonly result_text: string | null;
  readonly reasons: string[];
  readonly cltrid: string | null;
  readonly svtrid: string | null;
  readonly outcome: Record<string, unknown> | null;
  readonly request_id: string | null;
  readonly key_id: string | null;
  readonly attempts: number;
  readonly due_at: Date;
  readonly fence: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly finished_at: Date | null;
}

export function isFinal(state: OperationState): boolean {
  return (finalStates as readonly string[]).includes(state);
}

export const operationLimits = {
  retryFirstMs: 2_000,
  retryMaxMs: 300_000,
  stepsKept: 60,
};

/** Wait before the next try: doubling, bounded. */
export function retryDelayMs(attempts: number): number {
  return Math.min(operationLimits.retryMaxMs, operationLimits.retryFirstMs * 2 ** Math.min(attempts, 12));
}

export interface Refused {
  readonly evidence: Evidence;
  /** Code of the catalogue and a sentence, where the workflow knows better than the registry's words. */
  readonly error?: { readonly code: string; readonly sentence: string; readonly field?: string };
}
