import type { Step } from './step.ts';

/**
 * Stores the answer with its Idempotency-Key, unless the transaction of the request stored it.
 *
 * Failure: 503; the client repeats with the same key and gets the stored result.
 * Limit: `idempotencyLimits.answerBytes`.
 */
export const storeAnswer: Step = async ({ heldKey, answer }, { ctx }) => {
  if (!heldKey) return;
  await heldKey.finish(answer!.status, JSON.stringify(answer!.body));
  ctx.failpoint('http:before-answer');
};
