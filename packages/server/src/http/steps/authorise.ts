import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../core/errors.ts';
import { hasAccessLevel } from '../../core/model/customer-access.ts';
import type { Identity } from '../authenticate.ts';
import { WireRefusal } from '../errors.ts';
import { type Caller, missingScopes, type Route } from '../route.ts';
import type { Exchange, Step, StepContext } from './step.ts';

/**
 * Checks the scopes of the key, the access of the customer, and the second factor and recent authentication of a session.
 *
 * Failure: 403; the owner of the account grants the right, or the user authenticates again.
 * Limit: the scopes of the route.
 */
export const authorise: Step = (exchange, shared) => {
  const { definition, identity, capacityOwner } = exchange;
  if (!identity || !capacityOwner) {
    exchange.caller = anonymousCaller(exchange);
    return;
  }
  exchange.caller = { ...callerOf(exchange, identity), topId: capacityOwner.top, since: exchange.since };
  shared.lastUses.note(identity);
  refuseMissingRights(definition, identity, shared);
};

export function refuseMissingRights(definition: Route, identity: Identity, shared: StepContext): void {
  refuseScope(definition, identity, shared);
  refuseWithoutSecondFactor(definition, identity);
  refuseWithoutRecentAuthentication(definition, identity);
}

export function callerOf(
  { definition, request }: Pick<Exchange, 'definition' | 'request'>,
  { resellerId, keyId, user, customer, scopes, isOperator, address }: Identity,
): Caller {
  // With access `manage`, the customer acts with the tenant of its reseller (decision 0073).
  const actsForReseller =
    customer && definition.customer !== undefined && hasAccessLevel(definition.customer, 'manage');
  const who = { resellerId, keyId, user, customerId: customer?.id, actsForReseller, scopes, isOperator };
  return { ...who, address, requestId: request.id, header: headersOf(request) };
}

function anonymousCaller({ request, address }: Exchange): Caller {
  const anonymous = { resellerId: '0', keyId: null, scopes: [], isOperator: false };
  return { ...anonymous, address, requestId: request.id, header: headersOf(request) };
}

const headersOf = (request: FastifyRequest) => (name: string) => {
  const value = request.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
};

function refuseScope(
  definition: Route,
  { resellerId, user, customer, scopes: own }: Identity,
  { refusals }: StepContext,
): void {
  if (definition.forUsers && !user) throw new WireRefusal('session_required');
  if (customer && !hasAccessLevel(customer.access, definition.customer!))
    throw new Refusal('scope_missing', `Your access level does not allow this: it is ${customer.access}.`, {
      facts: { scope: definition.customer },
    });
  const scopes = missingScopes(definition, own);
  if (customer || scopes.length === 0) return;
  refusals.note('scope', resellerId);
  const who = user ? 'Your role' : 'This API key';
  throw new Refusal('scope_missing', `${who} lacks the scope ${scopes.join(' or ')}.`, {
    facts: { scope: scopes[0] },
  });
}

/** 2FA: after its due date, a user without a second factor can only change the own user. */
function refuseWithoutSecondFactor(definition: Route, { sessionStatus }: Identity): void {
  const isAboutOneself = definition.forUsers && definition.scope === null;
  if (sessionStatus?.isSecondFactorOverdue && !isAboutOneself) throw new WireRefusal('factor_required');
}

/** Sensitive calls of a session need a recent authentication (`sudo`). */
function refuseWithoutRecentAuthentication(definition: Route, { sessionStatus }: Identity): void {
  if (definition.sudo && sessionStatus && !sessionStatus.hasRecentAuthentication)
    throw new WireRefusal('reauthentication_required', undefined, { facts: { methods: sessionStatus.methods } });
}
