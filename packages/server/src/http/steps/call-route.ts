import { type AppContext, contextAt, contextFor, readContextFor } from '../../core/app-context.ts';
import { DeletedReference } from '../../core/deleted-reference.ts';
import { Refusal } from '../../core/errors.ts';
import { unauthorized } from '../authenticate.ts';
import { notInSession } from '../identity/sessions.ts';
import { Answer, asAnswer, type Caller, readsAnywhere } from '../route.ts';
import { EventFeed } from '../streams/event-feed.ts';
import { identifyAgain } from './recheck-caller.ts';
import type { Exchange, Step, StepContext } from './step.ts';

/**
 * Calls the route: the use case of core, and its answer.
 *
 * Failure: the refusal of core, or 5xx; core has rolled its transaction back or stored the order.
 * Limit: the timeouts of statements and registries.
 */
export const callRoute: Step = async (exchange, shared) => {
  if (exchange.answer) return;
  const { definition, input, caller } = exchange;
  const result = definition.isPublic
    ? await answerPublic(exchange, shared)
    : await definition.answer(contextOf(exchange, shared), callerWithKey(exchange), input as never);
  // Changed keys and accounts take effect at once in this process, and in others when their cache expires. Sessions are not cached.
  if (definition.method !== 'GET' && ['account', 'resellers', 'users'].includes(definition.area)) shared.evictKeys();
  exchange.answer = asAnswer(result instanceof EventFeed ? await follow(exchange, caller!, result, shared) : result);
};

function contextOf({ definition, caller, heldKey, brandHost }: Exchange, { ctx }: StepContext): AppContext {
  if (heldKey) return contextFor(ctx, caller!);
  return (readsAnywhere(definition) ? readContextFor : contextFor)(contextAt(ctx, brandHost), caller!);
}

const callerWithKey = ({ caller, heldKey }: Exchange): Caller =>
  heldKey ? { ...caller!, idempotency: heldKey } : caller!;

async function answerPublic({ definition, caller, input, brandHost }: Exchange, shared: StepContext): Promise<unknown> {
  try {
    return await definition.answer(contextAt(shared.ctx, brandHost), caller!, input as never);
  } catch (caught) {
    const error = caught instanceof DeletedReference ? unauthorized() : caught;
    if (error instanceof Refusal && error.code === 'unauthorized') {
      await shared.guesses.recordFailedAttempt(caller!.address, undefined);
      if (definition.forUsers) throw notInSession(error.message);
    }
    throw error;
  }
}

/** From here on it does not count as a request in progress, and holds no database connection. */
async function follow(exchange: Exchange, caller: Caller, feed: EventFeed, shared: StepContext): Promise<Answer> {
  // A HEAD request would never read the stream.
  if (exchange.request.method === 'HEAD') return new Answer('');
  const stream = await shared.streams.open(caller, feed, () => identifyAgain(exchange, shared, { isCached: true }));
  shared.gate.leave(exchange.reply);
  // Otherwise proxies would buffer it.
  return new Answer(stream, { headers: { 'X-Accel-Buffering': 'no' } });
}
