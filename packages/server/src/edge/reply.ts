import { cleanPath, cleanQuery, type ForwardedRequest, locationOf } from '../core/forwarding/location.ts';
import { escapeMarkup } from '../core/forwarding/markup.ts';
import { writeMetaTags } from '../core/forwarding/masking.ts';
import type { Masking } from '../core/forwarding/rule.ts';
import { deniedBy } from '../core/forwarding/target.ts';
import type { RuleCache } from './rule-cache.ts';

const sentences: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['Bad request', 'The request could not be read.'],
  404: ['Not found', 'Nothing is forwarded from this address.'],
  405: ['Method not allowed', 'This address does not accept this type of request.'],
  410: ['Gone', 'This domain is not in service.'],
  429: ['Too many requests', 'Please wait a moment and try again.'],
  503: ['Service unavailable', 'Please try again in a moment.'],
  508: ['Redirect loop', 'This address forwards to itself.'],
};

type PageStatus = 400 | 404 | 405 | 410 | 429 | 503 | 508;

/** A static page, the same for every host. It contains no input of the request. */
function plainPage(status: PageStatus, abuseAddress: string): string {
  const [title, text] = sentences[status]!;
  const abuse = abuseAddress === '' ? '' : `<p>To report abuse: ${escapeMarkup(abuseAddress)}</p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p>${abuse}</body></html>\n`;
}

/** A page with one frame. */
function maskingPage(masking: Masking, location: string, nonce: string): string {
  return [
    '<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    writeMetaTags(masking),
    `<style nonce="${nonce}">html,body{margin:0;height:100%}iframe{border:0;display:block;width:100%;height:100%}</style>`,
    `</head><body><iframe src="${escapeMarkup(location)}">${masking.text}</iframe></body></html>`,
    '',
  ].join('\n');
}

export interface WebRequest {
  readonly method: string;
  /** Path and query, from `originForm`. */
  readonly target: string;
  /** Every Host header. */
  readonly hosts: readonly string[];
  readonly isSecure: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The rule that applied. */
  readonly by?: { readonly domainId: string; readonly rule: string; readonly host: string };
}

interface ReplySettings {
  readonly abuseAddress: string;
  readonly deniedHosts: readonly string[];
  /** False while rules are still loading, so that an unknown host gets 503 and not 404. */
  readonly isComplete: boolean;
  readonly now: Date;
  nonce(): string;
}

/** Limits the cache time of a permanent redirect, which browsers otherwise keep without a limit. */
const rememberedSeconds = 3_600;
/** HSTS cannot be revoked, so it is sent only after the domain has had a valid certificate for seven days. */
const provenMs = 7 * 86_400_000;
const strictTransport = { 'Strict-Transport-Security': 'max-age=15552000' };
const maxHostLength = 253;
const plainHost = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const allow = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const refusedMethods = new Set(['OPTIONS', 'TRACE', 'CONNECT']);

/** RFC 8461 3.3: served only by HTTPS. */
const policyPath = '/.well-known/mta-sts.txt';
const plainText = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};
const html = { 'Content-Type': 'text/html; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };

export function page(status: PageStatus, abuseAddress: string, more: Record<string, string> = {}): Reply {
  const headers = {
    ...html,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'",
    ...more,
  };
  return { status, headers, body: plainPage(status, abuseAddress) };
}

/** RFC 9112 3.2: exactly one Host header. Its port is ignored, and a final dot is removed. */
export function brandHostOf(hosts: readonly string[]): string | undefined {
  const [written, ...more] = hosts;
  if (written === undefined || more.length > 0) return undefined;
  if (written.length <= maxHostLength && plainHost.test(written)) return written;
  const host = written
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
  return host.length <= maxHostLength && plainHost.test(host) ? host : undefined;
}

/** RFC 9112 3.2.2: an absolute-form target, sent by proxies, overrides the Host header. */
export function originForm(target: string, hosts: readonly string[]): Pick<WebRequest, 'target' | 'hosts'> {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(target) ?? [];
  if (host === undefined || hosts.length > 1) return { target, hosts };
  return { target: rest.startsWith('/') ? rest : `/${rest}`, hosts: [host] };
}

/** Computes the response. A pure function of the request and the rules in memory. */
export function replyTo(rules: RuleCache, request: WebRequest, settings: ReplySettings): Reply {
  const plain = (status: PageStatus, more?: Record<string, string>) => page(status, settings.abuseAddress, more);
  const host = brandHostOf(request.hosts);
  if (host === undefined || !request.target.startsWith('/')) return plain(400);
  if (refusedMethods.has(request.method)) return plain(405, { Allow: allow });
  if (request.isSecure && request.target === policyPath) {
    const policy = rules.policyOf(host);
    if (policy !== undefined) return { status: 200, headers: plainText, body: policy };
  }
  const found = rules.find(host);
  if (!found) return settings.isComplete ? plain(404) : plain(503, { 'Retry-After': '2' });
  if (!found.table) return plain(410);
  const mark = request.target.indexOf('?');
  const webRequest = {
    host: found.host,
    path: cleanPath(mark < 0 ? request.target : request.target.slice(0, mark)),
    query: cleanQuery(mark < 0 ? '' : request.target.slice(mark + 1)),
  };
  const rule = found.table.find(webRequest);
  if (!rule) return plain(404);
  if (deniedBy(rule.target.hostname, settings.deniedHosts) !== undefined) return plain(410);
  const location = locationOf(rule, webRequest);
  if (rule.target.hostname === host && isSamePlace(location, webRequest)) return plain(508);
  const { masking, code, hsts } = rule.rule;
  const by = { domainId: found.domainId, rule: rule.key, host };
  const isProven = found.liveSince !== undefined && settings.now.getTime() - found.liveSince.getTime() >= provenMs;
  const strict = request.isSecure && hsts && isProven ? strictTransport : {};
  if (!masking) {
    const isForGood = code === 301 || code === 308;
    const cache = `max-age=${isForGood ? rememberedSeconds : 0}`;
    return { status: code, headers: { Location: location, 'Cache-Control': cache, ...strict }, body: '', by };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, { Allow: 'GET, HEAD' });
  const nonce = settings.nonce();
  const headers = {
    ...html,
    'Cache-Control': 'max-age=0',
    'Content-Security-Policy': `default-src 'none'; frame-src ${rule.target.origin}; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
    'Referrer-Policy': 'no-referrer',
    ...strict,
  };
  return { status: 200, headers, body: maskingPage(masking, location, nonce), by };
}

function isSamePlace(location: string, { path, query }: Pick<ForwardedRequest, 'path' | 'query'>): boolean {
  const { pathname, search } = new URL(location);
  return pathname === path && search.slice(1) === query;
}
