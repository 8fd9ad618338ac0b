import type { Identity } from '../authenticate.ts';
import type { Principal } from '../load-gate.ts';
import type { Step } from './step.ts';

/**
 * Counts the request for its account, session and customer, so that none of them uses all places.
 *
 * Failure: 503 with Retry-After; nothing was started, the client repeats.
 * Limit: a share of `NAMEHOLD_REQUESTS_IN_FLIGHT` for each.
 */
export const limitConcurrency: Step = ({ definition, reply, identity }, { gate }) => {
  if (identity) gate.enterAs(principalOf(identity), definition, reply);
};

export const principalOf = ({ resellerId, keyId, user, customer }: Identity): Principal => ({
  account: resellerId,
  customer: customer?.id,
  session: user?.sessionId,
  key: keyId ?? undefined,
});
