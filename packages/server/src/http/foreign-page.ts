import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { BrandHost } from '../core/app-context.ts';
import { WireRefusal } from './errors.ts';

/**
 * A browser that knows a key sends it along whatever page asks (forms with cached Basic credentials), so a change asked for by a
 * foreign page is refused. A program sends neither header. `*` lets every page read what a script was given credentials for;
 * it makes nobody trusted to write.
 */
export function refuseForeignPage(request: FastifyRequest, config: Config, brandHost: BrandHost | undefined): void {
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  if (site === 'same-origin' || site === 'none') return;
  if (site === undefined && origin === undefined) return;
  // A script of a listed page went through CORS; a form of the same page did not, and its credentials may be a cached prompt's.
  const isScripted = site === undefined || request.headers['sec-fetch-mode'] === 'cors';
  const isListed = origin !== undefined && origin !== 'null' && origin !== '*' && config.corsOrigins.includes(origin);
  if (isScripted && (isListed || isOurs(origin, request, config, brandHost))) return;
  throw new WireRefusal('foreign_page');
}

/** Only of this very service: no list lets another page use somebody's session. */
export function refuseOtherPages(request: FastifyRequest, config: Config, brandHost: BrandHost | undefined): void {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin' || (site === undefined && isOurs(request.headers.origin, request, config, brandHost)))
    return;
  throw new WireRefusal('foreign_page', 'A session can only be used by the pages of this service.');
}

/** Of what came by a brand's host, the pages of that host alone. */
function isOurs(
  origin: string | undefined,
  request: FastifyRequest,
  config: Config,
  brandHost: BrandHost | undefined,
): boolean {
  if (origin === undefined || origin === 'null' || origin === '*') return false;
  if (brandHost) return origin === `https://${brandHost.host}`;
  if (config.publicUrl && origin === new URL(config.publicUrl).origin) return true;
  if (config.mode !== 'sandbox' || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  const isTls = protocol === 'https:';
  const usual = isTls ? 443 : 80;
  if (isTls !== 'encrypted' in request.raw.socket) return false;
  return isLoopback && (port === '' ? usual : Number(port)) === request.raw.socket.localPort;
}
