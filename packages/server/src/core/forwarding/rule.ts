/** Every bound on forwarding, in one place. */
export const forwardingLimits = {
  rulesPerDomain: 100,
  targetLength: 2_048,
  pathLength: 1_024,
  /** Of what the caller writes for the masking page; what is kept of it is shorter. */
  markupLength: 4_000,
  pageTextLength: 500,
  /** Steps that are followed through our own rules before a target is refused. */
  steps: 10,
  recordTtlSeconds: 300,
  /** 13 months. */
  clicksKeptMs: 396 * 86_400_000,
} as const;

export const codes = [301, 302, 307, 308] as const;
export type RedirectCode = (typeof codes)[number];

/** The page around the frame, in parts: markup is never kept as it came. */
export interface Masking {
  readonly title: string;
  /** `description`, `keywords`, `author`, `robots`, and Open Graph properties such as `og:image`. */
  readonly meta: Readonly<Record<string, string>>;
  /** For browsers without frames: paragraphs, headings and links, written by us. */
  readonly text: string;
}

/** Where requests for a host below the name go. Stored as JSON. */
export interface Rule {
  /** `@` the name itself, `www`, `a.b`, or `*` for every host that has no rules of its own. */
  readonly host: string;
  readonly path: string;
  readonly match: 'prefix' | 'exact';
  readonly target: string;
  readonly code: RedirectCode;
  readonly path_mode: 'drop' | 'append';
  readonly query_mode: 'drop' | 'append' | 'merge';
  readonly masking: Masking | null;
  /** Browsers are told to come by HTTPS alone, once the certificate has proven itself. */
  readonly hsts?: boolean;
  readonly enabled: boolean;
}

/** What names a rule among those of its name. */
export const keyOf = ({ host, path, match }: Pick<Rule, 'host' | 'path' | 'match'>) => `${host} ${path} ${match}`;

/** Hosts that need records, each once. */
export function activeHosts(rules: readonly Rule[]): string[] {
  return [...new Set(rules.filter((rule) => rule.enabled).map((rule) => rule.host))];
}

/** The full name of a rule's host. */
export function hostName(host: string, domainName: string): string {
  return host === '@' ? domainName : `${host}.${domainName}`;
}

/** The other way round; undefined: not below the name. */
export function hostBelow(fullName: string, domainName: string): string | undefined {
  if (fullName === domainName) return '@';
  return fullName.endsWith(`.${domainName}`) ? fullName.slice(0, -domainName.length - 1) : undefined;
}
