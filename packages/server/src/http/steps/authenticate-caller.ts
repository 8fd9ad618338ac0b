import { type Identity, parseBasic, unauthorized } from '../authenticate.ts';
import { notInSession, refuseOutsideConsole, wantsSession } from '../identity/sessions.ts';
import { noteFacts } from './log-answer.ts';
import type { Exchange, Step, StepContext } from './step.ts';

/**
 * Identifies the caller by its API key or session. Public routes have no caller, but wrong guesses are throttled.
 *
 * Failure: 401, or 429 after too many guesses; the client corrects its credentials.
 * Limit: `guessLimits` per network and account.
 */
export const authenticateCaller: Step = async (exchange, shared) => {
  const { definition, request } = exchange;
  if (definition.isPublic) return refuseGuessing(exchange, shared);
  const identity = wantsSession(request, shared.ctx.config)
    ? await identifyUser(exchange, shared)
    : await identifyKey(exchange, shared);
  const { resellerId, keyId, user } = identity;
  noteFacts(request, { reseller_id: resellerId, key_id: keyId });
  // `person_id` is the former name of `user_id`, for log filters of operators.
  if (user) noteFacts(request, { user_id: user.id, person_id: user.id, session_id: user.sessionId });
  exchange.identity = identity;
};

/** Passwords can be guessed here, so callers with too many failed attempts are refused even with the correct one. */
function refuseGuessing({ definition, request, address, brandHost }: Exchange, { ctx, guesses }: StepContext): void {
  if (!definition.forUsers) return;
  refuseOutsideConsole(request, ctx.config, brandHost);
  if (!definition.isExemptFromGuessLimit) guesses.refuseExhausted(address, undefined);
}

async function identifyKey({ request, address }: Exchange, shared: StepContext): Promise<Identity> {
  const identity = await shared.authenticator.identify(request.headers.authorization, address, {
    refuseThrottled: (resellerId) => {
      try {
        shared.guesses.refuseExhausted(address, resellerId);
      } catch (error) {
        noteFacts(request, { claimed_id: resellerId });
        shared.refusals.note('login', resellerId);
        throw error;
      }
    },
  });
  if (identity) return identity;
  const claimed = parseBasic(request.headers.authorization)?.user;
  const resellerId = claimed !== undefined && /^\d+$/.test(claimed) ? claimed : undefined;
  if (resellerId) noteFacts(request, { claimed_id: resellerId });
  shared.refusals.note('login', resellerId);
  await shared.guesses.recordFailedAttempt(address, resellerId);
  throw unauthorized();
}

async function identifyUser(exchange: Exchange, { ctx, sessions, refusals }: StepContext): Promise<Identity> {
  const { definition, request, reply, address, brandHost } = exchange;
  refuseOutsideConsole(request, ctx.config, brandHost);
  const setCookie = (cookie: string) => void reply.header('Set-Cookie', cookie);
  const identity = await sessions.identify(
    request,
    { address, brandHost },
    setCookie,
    definition.allowsPendingTwoFactor,
  );
  if (identity) return identity;
  refusals.note('login', undefined);
  throw notInSession('Not signed in, or the session has ended. Sign in again.');
}
