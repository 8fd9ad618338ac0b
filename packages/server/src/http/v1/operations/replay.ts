import type { AppContext } from '../../../core/app-context.ts';
import { notFound } from '../../../core/errors.ts';
import type { Security } from '../../../core/model/approval.ts';
import type { Operation } from '../../../core/model/operation.ts';
import { findOperation } from '../../../core/operations/operation.sql.ts';
import type { Answer, Caller } from '../../route.ts';
import { showSecurity } from '../account/security.ts';
import { showPrivacyPurchase } from '../domains/buy/privacy.ts';
import { showChildHost, showUpdate } from '../domains/change/update-answer.ts';
import { showDeletion } from '../domains/end/delete.ts';
import { answerOf, asFor, showOrder } from '../domains/operation-answer.ts';

/** Operations whose calls return more than the order. A repeated request must get the same response. */
const shows: Readonly<Record<string, (operation: Operation, ctx: AppContext) => unknown>> = {
  delete: showDeletion,
  update: showUpdate,
  child_host: showChildHost,
  buy_privacy: showPrivacyPurchase,
  account_security: (operation) => showSecurity(operation.outcome as unknown as Security),
};

function showOf(ctx: AppContext, kind: string): (operation: Operation) => unknown {
  const show = shows[kind] ?? showOrder;
  return (operation) => show(operation, ctx);
}

/** The response to a repeated request whose Idempotency-Key belongs to an operation: the current state of that operation. */
export async function answerOperation(ctx: AppContext, caller: Caller, operationId: string): Promise<Answer> {
  const operation = await findOperation(ctx.db.as(caller.resellerId), caller.resellerId, operationId);
  if (!operation) throw notFound('operation');
  return answerOf(asFor(caller, operation), showOf(ctx, operation.kind));
}
