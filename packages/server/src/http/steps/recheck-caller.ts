import { type Identity, unauthorized } from '../authenticate.ts';
import { notInSession } from '../identity/sessions.ts';
import { httpLimits } from '../limits.ts';
import type { Caller } from '../route.ts';
import { callerOf, refuseMissingRights } from './authorise.ts';
import { refuseSuspendedAccount } from './check-account.ts';
import type { Exchange, Step, StepContext } from './step.ts';

/**
 * Authenticates and authorises the caller again after a slow body. Meanwhile a session can end and a key can be revoked.
 *
 * Failure: as before the body; no budget is charged again.
 * Limit: `httpLimits.bodyAtOnceMs`, below which nothing is repeated.
 */
export const recheckCaller: Step = async (exchange, shared) => {
  const { authorisedAt } = exchange;
  if (authorisedAt === undefined || performance.now() - authorisedAt <= httpLimits.bodyAtOnceMs) return;
  const identity = await identifyAgain(exchange, shared, { isCached: false });
  exchange.caller = { ...exchange.caller!, ...callerOf(exchange, identity) };
};

/** Authenticates and authorises an admitted caller once more, by its present credentials. */
export async function identifyAgain(
  { definition, request, brandHost, caller: admitted }: Exchange,
  shared: StepContext,
  { isCached }: { readonly isCached: boolean },
): Promise<Identity> {
  const caller = admitted!;
  const { address } = caller;
  const identity = caller.user
    ? await shared.sessions.identify(request, { address, brandHost }, undefined, definition.allowsPendingTwoFactor)
    : await shared.authenticator.identify(request.headers.authorization, address, { isCached });
  if (!identity || !isSameCaller(identity, caller)) {
    shared.refusals.note('login', caller.resellerId);
    throw caller.user ? notInSession('Not signed in, or the session has ended. Sign in again.') : unauthorized();
  }
  refuseSuspendedAccount(definition, identity);
  refuseMissingRights(definition, identity, shared);
  return identity;
}

const isSameCaller = ({ resellerId, keyId, user, customer }: Identity, caller: Caller) =>
  resellerId === caller.resellerId &&
  keyId === caller.keyId &&
  user?.sessionId === caller.user?.sessionId &&
  customer?.id === caller.customerId;
