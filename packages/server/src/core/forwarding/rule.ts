/** Limits of web forwarding. */
export const forwardingLimits = {
  rulesPerDomain: 100,
  targetLength: 2_048,
  pathLength: 1_024,
  /** Length of the input for a masking page; the stored result is shorter. */
  markupLength: 4_000,
  pageTextLength: 500,
  /** Steps that are followed through rules of this service before a target is refused. */
  steps: 10,
  recordTtlSeconds: 300,
  /** 13 months. */
  clicksKeptMs: 396 * 86_400_000,
} as const;

export const codes = [301, 302, 307, 308] as const;
export type RedirectCode = (typeof codes)[number];

/** Parts of the page around the frame. Input markup is never stored as it is. */
export interface Masking {
  readonly title: string;
  /** `description`, `keywords`, `author`, `robots`, and Open Graph properties such as `og:image`. */
  readonly meta: Readonly<Record<string, string>>;
  /** Content for browsers without frames: rewritten paragraphs, headings and links. */
  readonly text: string;
}

/** The destination of requests for a host of the domain. Stored as JSON. */
export interface Rule {
  /** `@` for the domain itself, `www`, `a.b`, or `*` for every host without rules. */
  readonly host: string;
  readonly path: string;
  readonly match: 'prefix' | 'exact';
  readonly target: string;
  readonly code: RedirectCode;
  readonly path_mode: 'drop' | 'append';
  readonly query_mode: 'drop' | 'append' | 'merge';
  readonly masking: Masking | null;
  /** Sends HSTS once the domain has had a valid certificate for seven days. */
  readonly hsts?: boolean;
  readonly enabled: boolean;
}

/** The key of a rule within its domain. */
export const keyOf = ({ host, path, match }: Pick<Rule, 'host' | 'path' | 'match'>) => `${host} ${path} ${match}`;

/** Hosts that need records, each once. */
export function activeHosts(rules: readonly Rule[]): string[] {
  return [...new Set(rules.filter((rule) => rule.enabled).map((rule) => rule.host))];
}

/** The full name of a rule's host. */
export function hostName(host: string, domainName: string): string {
  return host === '@' ? domainName : `${host}.${domainName}`;
}

/** The inverse. Undefined: not below the domain name. */
export function hostBelow(fullName: string, domainName: string): string | undefined {
  if (fullName === domainName) return '@';
  return fullName.endsWith(`.${domainName}`) ? fullName.slice(0, -domainName.length - 1) : undefined;
}
