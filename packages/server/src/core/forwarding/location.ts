import { keyOf, type Rule } from './rule.ts';

/** A parsed and normalised request to a host of a domain. */
export interface ForwardedRequest {
  /** `@`, or the labels before the domain name: `blog`, `a.b`. */
  readonly host: string;
  /** From `cleanPath`. */
  readonly path: string;
  /** From `cleanQuery`, without the question mark. */
  readonly query: string;
}

const percent = (octet: number) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;

/** RFC 3986 3.3 and 3.4: allowed characters and required escapes of a segment or query stay; everything else is escaped. */
function escaped(text: string, allowed: RegExp, plain: RegExp, needless = /^$/): string {
  if (plain.test(text)) return text;
  return text.replaceAll(/%[0-9a-fA-F]{2}|[\s\S]/gu, (part) => {
    if (part.length === 3 && part.startsWith('%')) {
      const char = String.fromCharCode(Number.parseInt(part.slice(1), 16));
      return needless.test(char) ? char : part.toUpperCase();
    }
    if (allowed.test(part)) return part;
    // A request line arrives as bytes, one for each character.
    const bytes = part.codePointAt(0)! <= 0xff ? [part.codePointAt(0)!] : [...Buffer.from(part)];
    return bytes.map(percent).join('');
  });
}

/** RFC 3986 2.3: escaped and unescaped forms of these are equivalent. */
const unreserved = /^[A-Za-z0-9\-._~]$/;
const inSegment = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]$/;
const plainSegment = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]*$/;
const inQuery = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?]$/;
const plainQuery = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?]*$/;

/** Fast path for paths without escapes, with one leading slash and no segment that begins with a dot. */
const plainPath = /^\/(?![/.])(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|\/(?!\.))*$/;

/**
 * Normalises a path: one leading slash, no dot segments in any spelling, and nothing that a browser could read as the end of a host,
 * line or path.
 */
export function cleanPath(path: string): string {
  if (plainPath.test(path)) return path;
  const kept: string[] = [];
  const segments = path.split('/').slice(path.startsWith('/') ? 1 : 0);
  segments.forEach((segment, at) => {
    const plain = segment.replaceAll(/%2e/gi, '.');
    const isLast = at === segments.length - 1;
    if (plain === '..') kept.pop();
    if (plain !== '.' && plain !== '..') kept.push(escaped(segment, inSegment, plainSegment, unreserved));
    else if (isLast) kept.push('');
  });
  while (kept.length > 1 && kept[0] === '') kept.shift();
  return `/${kept.join('/')}`;
}

export function cleanQuery(query: string): string {
  return escaped(query, inQuery, plainQuery);
}

/** The rules of one domain, indexed for lookups. */
export class RuleTable {
  readonly #hosts = new Map<string, readonly Compiled[]>();

  constructor(rules: readonly Rule[]) {
    const byHost = Map.groupBy(
      rules.filter((rule) => rule.enabled),
      (rule) => rule.host,
    );
    for (const [host, some] of byHost) this.#hosts.set(host, some.map(compile).sort(bySpecificity));
  }

  /** The most specific rule: its own host before `*`, an exact path before the longest prefix. */
  find(request: Pick<ForwardedRequest, 'host' | 'path'>): Compiled | undefined {
    const rules = this.#hosts.get(request.host) ?? (request.host === '@' ? undefined : this.#hosts.get('*'));
    return rules?.find(({ rule }) => covers(rule, request.path));
  }
}

interface Compiled {
  readonly rule: Rule;
  /** The key of a rule. */
  readonly key: string;
  readonly target: {
    readonly origin: string;
    readonly hostname: string;
    readonly path: string;
    readonly hasPlaceholder: boolean;
    readonly query: string;
    readonly hash: string;
  };
}

const placeholder = '{sub}';

function compile(rule: Rule): Compiled {
  const url = new URL(rule.target);
  const path = url.pathname.replace('%7Bsub%7D', placeholder);
  const { origin, hostname, hash } = url;
  // Requests are compared in normalised form; older stored rules may not be normalised.
  const clean = cleanPath(rule.path);
  const cleaned = clean === rule.path ? rule : { ...rule, path: clean };
  const hasPlaceholder = path.includes(placeholder);
  const target = { origin, hostname, path, hasPlaceholder, query: url.search.slice(1), hash };
  return { rule: cleaned, key: keyOf(rule), target };
}

function bySpecificity(a: Compiled, b: Compiled): number {
  const exact = Number(b.rule.match === 'exact') - Number(a.rule.match === 'exact');
  return exact || b.rule.path.length - a.rule.path.length;
}

function covers({ path: wanted, match }: Rule, path: string): boolean {
  if (path === wanted) return true;
  return match === 'prefix' && (wanted === '/' || path.startsWith(`${wanted}/`));
}

/** The destination of a request. Scheme and host are always those of the target; path and query are joined from normalised parts. */
export function locationOf({ rule, target }: Compiled, request: ForwardedRequest): string {
  const base = target.hasPlaceholder
    ? target.path.replace(placeholder, () => escaped(request.host === '@' ? '' : request.host, inSegment, plainSegment))
    : target.path;
  const rest = rule.path_mode === 'append' ? request.path.slice(rule.path === '/' ? 0 : rule.path.length) : '';
  const path = rest === '' || rest === '/' ? base : `${base.endsWith('/') ? base.slice(0, -1) : base}${rest}`;
  const query = queryOf(rule, target.query, request.query);
  return `${target.origin}${path}${query === '' ? '' : `?${query}`}${target.hash}`;
}

function queryOf({ query_mode: mode }: Rule, own: string, request: string): string {
  if (mode === 'drop' || request === '') return own;
  if (own === '') return request;
  if (mode === 'append') return `${own}&${request}`;
  const known = new Set(pairsOf(own).map(([name]) => name));
  const others = pairsOf(request).filter(([name]) => !known.has(name));
  return [own, ...others.map(([, pair]) => pair)].join('&');
}

/** Query parameters, each with its decoded name. */
function pairsOf(query: string): [name: string, pair: string][] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => [new URLSearchParams(pair).keys().next().value ?? '', pair]);
}
