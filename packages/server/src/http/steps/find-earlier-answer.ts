import { actingId, contextFor } from '../../core/app-context.ts';
import { asFirstPublished, keptAnswer } from '../aliases.ts';
import { type Begun, beginIdempotent } from '../idempotency/idempotency.ts';
import { type Answer, asAnswer } from '../route.ts';
import type { Exchange, Step, StepContext } from './step.ts';

/**
 * Claims the Idempotency-Key of a write, or answers as the earlier request with this key was answered.
 *
 * Failure: 409 for another request or one in progress; without an answer the client repeats with the same key.
 * Limit: `idempotencyLimits`.
 */
export const findEarlierAnswer: Step = async (exchange, shared) => {
  const { definition, request, reply, caller, fields } = exchange;
  const key = request.headers['idempotency-key'];
  // Public routes have no account to store responses for.
  if (definition.isPublic || definition.method === 'GET' || definition.forUsers || typeof key !== 'string') return;
  const ctx = contextFor(shared.ctx, caller!);
  // A stored secret is only repeated to the key or user that requested it, not to others of the account.
  const path = `${request.url.split('?')[0]}${definition.secret ? ` ${actingId(caller!)}` : ''}`;
  const known = asFirstPublished(definition, path, fields!);
  const begun = await beginIdempotent(ctx, caller!, key, definition, known.path, known.fields, shared.lateKeys);
  if (begun.kind === 'run') {
    exchange.heldKey = begun.request;
    return;
  }
  reply.header('Idempotency-Replayed', 'true');
  exchange.answer = await answerAgain(exchange, begun, shared);
};

async function answerAgain(
  { definition, caller }: Exchange,
  begun: Exclude<Begun, { kind: 'run' }>,
  { ctx: base, options }: StepContext,
): Promise<Answer> {
  const ctx = contextFor(base, caller!);
  if (begun.kind === 'follow')
    return asAnswer(await (definition.again ?? options.answerOperation)(ctx, caller!, begun.operationId));
  if (begun.answer.status !== 200) return begun.answer;
  const kept = keptAnswer(definition, begun.answer);
  return definition.now ? asAnswer(await definition.now(ctx, caller!, kept.body)) : kept;
}
