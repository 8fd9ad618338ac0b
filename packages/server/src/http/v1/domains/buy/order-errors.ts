import type { ErrorCode } from '../../../errors.ts';

/** Refusals that every operation on a domain can meet. */
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

/** And those of what costs money. */
export const purchaseErrors: readonly ErrorCode[] = [
  ...operationErrors,
  'insufficient_funds',
  'price_not_set',
  'price_guard',
  'price_guard_required',
  'quote_expired',
];
