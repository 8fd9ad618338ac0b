import type { AppContext } from '../../../core/app-context.ts';
import { notFound } from '../../../core/errors.ts';
import { findOperation } from '../../../core/operations/operation.sql.ts';
import type { Answer, Caller } from '../../route.ts';
import { answerOf, asFor } from '../domains/operation-answer.ts';
import { showOf } from './shows.ts';

/** The response to a repeated request whose Idempotency-Key belongs to an operation: the current state of that operation. */
export async function answerOperation(ctx: AppContext, caller: Caller, operationId: string): Promise<Answer> {
  const operation = await findOperation(ctx.db.as(caller.resellerId), caller.resellerId, operationId);
  if (!operation) throw notFound('operation');
  return answerOf(asFor(caller, operation), showOf(ctx, operation.kind));
}
