import { networkOf, siteOf } from '../../core/connection-limits.ts';
import type { Step } from './step.ts';

/**
 * Reserves memory for the body. Fastify then reads and parses it.
 *
 * Failure: 503, or 408 if the body is slow and others need its place; the client repeats.
 * Limit: bytes of open bodies in all, and per top account, account and caller (`httpLimits`).
 */
export const openBody: Step = (exchange, { gate }) => {
  const { definition, request, reply, capacityOwner, address } = exchange;
  if (!capacityOwner) {
    gate.openAnonymousBody(definition, request, reply, { network: networkOf(address), site: siteOf(address) });
    return;
  }
  gate.openBody(definition, request, reply, capacityOwner);
  exchange.authorisedAt = performance.now();
};
