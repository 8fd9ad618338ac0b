import type { Step } from './step.ts';

/**
 * Finds the brand whose verified host the request names.
 *
 * Failure: 503 if the database cannot be read; the client repeats.
 * Limit: one query per process and cache time, whatever hosts are sent.
 */
export const findBrandHost: Step = async (exchange, { brandHosts }) => {
  exchange.brandHost = await brandHosts.of(exchange.request);
};
