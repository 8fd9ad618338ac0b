import { type RateLimitStatus, rateHeaders, requestsPerMinute } from '../rate-limit.ts';
import type { Exchange, Step, StepContext } from './step.ts';

/**
 * Takes one request from the budgets of the key or session and of the address.
 *
 * Failure: 429 with Retry-After; the client repeats later.
 * Limit: `NAMEHOLD_RATE_LIMIT_PER_MINUTE`, `NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE`.
 */
export const takeBudget: Step = async (exchange, shared) => {
  const { identity, address } = exchange;
  if (!identity) return takeAddressBudget(address, shared);
  const taken = await shared.refusals.countThrottled(identity.resellerId, () => takeBudgets(exchange, shared));
  exchange.rateHeaders = rateHeaders(taken);
};

async function takeBudgets({ identity, address }: Exchange, shared: StepContext): Promise<RateLimitStatus> {
  const { keyId, user } = identity!;
  const caller = user ? `session:${user.sessionId}` : `key:${keyId}`;
  const taken = await shared.rates.take(caller, requestsPerMinute(shared.ctx.config, user !== undefined));
  await takeAddressBudget(address, shared);
  return taken;
}

export async function takeAddressBudget(address: string, { ctx, rates }: StepContext): Promise<void> {
  await rates.take(`address:${address}`, ctx.config.addressRateLimitPerMinute);
}
