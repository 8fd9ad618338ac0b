import type { FastifyRequest } from 'fastify';
import { WireRefusal } from '../errors.ts';
import { holdsKey } from '../hide-keys.ts';
import { httpLimits } from '../limits.ts';
import type { Step } from './step.ts';

/**
 * Checks the length of the URL, the encoding of the body, and that the URL contains no credentials.
 *
 * Failure: 4xx; the client corrects the request.
 * Limit: `httpLimits.urlLength`.
 */
export const checkHead: Step = ({ definition, request }) => {
  if (request.url.length > httpLimits.urlLength) throw new WireRefusal('uri_too_long');
  // Bodies are not decompressed, and compressed bytes must not be parsed as text.
  if (definition.method !== 'GET' && (request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new WireRefusal('unsupported_media_type', 'Compressed bodies are not supported.');
  refuseUrlCredentials(request);
};

const credentialNames = new Set([
  'api_key',
  'apikey',
  'api-key',
  'auth-userid',
  'authorization',
  'access_token',
  'auth-password',
  'auth_password',
  'authpassword',
]);

/** A key in a URL appears in logs on its way. */
function refuseUrlCredentials(request: FastifyRequest): void {
  const query = request.url.split('?')[1];
  const named = query
    ? [...new URLSearchParams(query).keys()].some((name) => credentialNames.has(name.toLowerCase()))
    : false;
  // As in http://user:password@host/path, because some clients send the whole URL.
  const before = /^\w+:\/\/[^/?#]*@/.test(request.url);
  if (named || before || holdsKey(request.url)) throw new WireRefusal('credentials_in_url');
}
