import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { BrandHost } from '../core/app-context.ts';
import { WireRefusal } from './errors.ts';

/**
 * CSRF protection. A browser that knows a key sends it with requests of any page (forms with cached Basic credentials), so changes from another site's
 * page are refused. Programs send neither header. `*` lets every page read with credentials that its script has, but trusts none to
 * write.
 */
export function refuseForeignPage(request: FastifyRequest, config: Config, brandHost: BrandHost | undefined): void {
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  if (site === 'same-origin' || site === 'none') return;
  if (site === undefined && origin === undefined) return;
  // A script of a listed page passed CORS. A form of the same page did not, and its credentials may come from a cached prompt.
  const isScripted = site === undefined || request.headers['sec-fetch-mode'] === 'cors';
  const isListed = origin !== undefined && origin !== 'null' && origin !== '*' && config.corsOrigins.includes(origin);
  if (isScripted && (isListed || isOurs(origin, request, config, brandHost))) return;
  throw new WireRefusal('foreign_page');
}

/** Only this service itself: no configuration lets another page use a session. */
export function refuseOtherPages(request: FastifyRequest, config: Config, brandHost: BrandHost | undefined): void {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin' || (site === undefined && isOurs(request.headers.origin, request, config, brandHost)))
    return;
  throw new WireRefusal('foreign_page', 'A session can only be used by the pages of this service.');
}

/** For requests to a brand host: only pages of that host. */
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
