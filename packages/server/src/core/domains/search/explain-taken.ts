import { normaliseName } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal, sentences } from '../../errors.ts';
import { ownDomainId } from './availability.sql.ts';

/**
 * A caller that lost its first answer repeats the order: the refusal names a domain that is its own by now. A domain of another account
 * gets the same answer as one that is registered anywhere else.
 */
export async function explainTaken(ctx: AppContext, actor: Actor, order: object, error: unknown): Promise<unknown> {
  const isBare = error instanceof Refusal && error.code === 'domain_not_available';
  if (!isBare || error.details.errors || !('domainName' in order) || error.message !== sentences.domain_not_available)
    return error;
  const name = normaliseName(String(order.domainName));
  const domainId = await ownDomainId(ctx.db.as(actor.resellerId), actor, name);
  const message = domainId
    ? `${name} is already in your account, as domain ${domainId}. Nothing was ordered again.`
    : error.message;
  return new Refusal('domain_not_available', message, {
    errors: [{ field: 'domainName', code: 'domain_not_available', message }],
    ...(domainId ? { facts: { domainId } } : {}),
  });
}
