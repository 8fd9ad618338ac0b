import type { Identity } from '../authenticate.ts';
import type { CapacityOwner } from '../load-gate.ts';
import type { Step } from './step.ts';

/**
 * Counts the request for its top account, account, session and customer, so that none of them uses the whole capacity.
 *
 * Failure: 503 with Retry-After; nothing was started, the client repeats.
 * Limit: a share of `NAMEHOLD_REQUESTS_IN_FLIGHT` for each.
 */
export const limitConcurrency: Step = async (exchange, { gate, topAccounts }) => {
  const { definition, reply, identity } = exchange;
  if (!identity) return;
  exchange.capacityOwner = capacityOwnerOf(identity, await topAccounts.of(identity.resellerId));
  gate.enterAs(exchange.capacityOwner, definition, reply);
};

const capacityOwnerOf = ({ resellerId, keyId, user, customer }: Identity, top: string): CapacityOwner => ({
  account: resellerId,
  top,
  customer: customer?.id,
  session: user?.sessionId,
  key: keyId ?? undefined,
});
