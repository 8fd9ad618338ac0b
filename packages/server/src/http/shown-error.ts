import type { FastifyRequest } from 'fastify';
import { DeletedReference } from '../core/deleted-reference.ts';
import { notFound, type Refusal } from '../core/errors.ts';
import { refusalAsSent } from './aliases.ts';
import { unauthorized } from './authenticate.ts';
import { refusalForCustomer } from './identity/customer-view.ts';
import { notInSession } from './identity/sessions.ts';
import type { Caller } from './route.ts';
import type { Exchange } from './steps/step.ts';

/** The error in the terms of the caller: names of fields as sent, and nothing that only its reseller may know. */
export function shownError(request: FastifyRequest, exchange: Exchange | undefined, error: unknown): unknown {
  const caller = exchange?.caller;
  const refused = exchange?.sentNames ? refusalAsSent(error, exchange.definition, exchange.sentNames) : error;
  const answered = refused instanceof DeletedReference ? refusalOfDeleted(request, caller, refused) : refused;
  return caller?.customerId === undefined ? answered : refusalForCustomer(answered);
}

/**
 * Returns what the next request would get: 401 if the caller itself was deleted, 404 for an id in the path, 400 with the field for an id
 * in the body.
 */
function refusalOfDeleted(request: FastifyRequest, caller: Caller | undefined, error: DeletedReference): Refusal {
  const { noun, id } = error;
  const own = { reseller: caller?.resellerId, customer: caller?.customerId, contact: undefined }[noun];
  if (caller && id === own)
    return caller.user ? notInSession('Not signed in, or the session has ended. Sign in again.') : unauthorized();
  const inPath = (request.params as Record<string, string | undefined>)[`${noun}_id`];
  return inPath === id ? notFound(noun) : error;
}
