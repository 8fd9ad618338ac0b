import { renderError } from '../render-error.ts';
import type { ErrorStep } from './step.ts';

/**
 * Stores a definite refusal with its Idempotency-Key. 401, 403, 429, internal errors and temporary conflicts are not stored.
 *
 * Failure: none; a key that cannot be released is released later.
 * Limit: `idempotencyLimits.answerBytes`.
 */
export const storeRefusal: ErrorStep = async ({ exchange, request, shown }, shared) => {
  const heldKey = exchange?.heldKey;
  if (!heldKey) return;
  const { status, body } = renderError(shown, request.id, shared.publicUrl());
  const isDefinite = status >= 400 && status < 500 && ![401, 403, 429].includes(status);
  const storable = isDefinite && body.code !== 'operation_in_progress';
  await (storable ? heldKey.finish(status, JSON.stringify(body)) : heldKey.release()).catch(() => undefined);
};
