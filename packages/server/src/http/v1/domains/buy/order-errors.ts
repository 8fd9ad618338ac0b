import type { ErrorCode } from '../../../errors.ts';

/** Errors that every operation on a domain can have. */
export const operationErrors: readonly ErrorCode[] = [
  'not_found',
  'conflict',
  'domain_blocked',
  'operation_in_progress',
  'registry_refused',
  'registry_unavailable',
  'idempotency_in_flight',
  'idempotency_mismatch',
];

/** Additional errors of billable operations. */
export const purchaseErrors: readonly ErrorCode[] = [
  ...operationErrors,
  'insufficient_funds',
  'price_not_set',
  'price_guard',
  'price_guard_required',
  'quote_expired',
];
