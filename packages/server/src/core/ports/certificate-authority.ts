/** How control of a domain is proven: by a DNS record (dns-01) or by a page at an edge (http-01). */
export type ProofMethod = 'dns-01' | 'http-01';

/** A proof to publish for one domain name before validation. Stored as JSON. */
export interface Proof {
  readonly name: string;
  /** URL of the challenge. */
  readonly url: string;
  readonly token: string;
  /** Text of the record or page. */
  readonly value: string;
}

export interface AuthorityOrder {
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  /** Reason of the authority for an invalid order. */
  readonly problem: AuthorityError | undefined;
  /** Minimum wait until the next query, from Retry-After. */
  readonly retryAfterMs: number | undefined;
}

/** A certificate authority. Each call is one step that can be repeated: the state of an order is read at the authority under its URL. */
export interface CertificateAuthority {
  /** Stored with its certificates. Certificates of another authority are replaced. */
  readonly name: string;
  /** True for the sandbox authority, which requires no proofs. */
  readonly issuesWithoutValidation: boolean;
  /** Its issuer domain names in CAA records. Empty: unknown, the authority checks CAA. */
  caaNames(): Promise<readonly string[]>;
  /** `replaced`: the certificate (PEM) that the order renews. */
  newOrder(names: readonly string[], replaced?: string): Promise<string>;
  /** An open order of ours for these names whose URL may have been lost. */
  findOrder(names: readonly string[], known: ReadonlySet<string>): Promise<string | undefined>;
  readOrder(url: string): Promise<AuthorityOrder>;
  /** The proofs that are still missing. */
  readProofs(url: string, method: ProofMethod): Promise<Proof[]>;
  /** Starts the validation. */
  answer(proof: Proof): Promise<void>;
  /** A private key, PEM. */
  newKey(): string;
  finalize(url: string, names: readonly string[], key: string): Promise<void>;
  /** The certificate and its issuers, PEM. */
  download(url: string): Promise<string>;
  /** Suggested renewal window of a certificate (PEM). Undefined: none is suggested. */
  renewal(chain: string): Promise<RenewalWindow | undefined>;
}

export interface RenewalWindow {
  readonly from: Date;
  readonly to: Date;
  /** Minimum wait until the next query, from Retry-After. */
  readonly retryAfterMs: number | undefined;
}

/**
 * `away`: unreachable, retry. `limited`: rate-limited, pause all orders. `forbidden`: CAA or DNS records do not allow it. `gone`: the
 * order is unknown. `refused`: rejected, with the reason of the authority.
 */
type AuthorityErrorKind = 'away' | 'limited' | 'forbidden' | 'gone' | 'refused';

export class AuthorityError extends Error {
  override name = 'AuthorityError';
  readonly kind: AuthorityErrorKind;
  readonly retryAfterMs: number | undefined;
  constructor(kind: AuthorityErrorKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Our account at an authority. */
interface AuthorityAccount {
  readonly key: string;
  /** Null: not yet registered. */
  readonly url: string | null;
}

export interface AccountStore {
  /** The account; `newKey` creates its key if there is none. Two concurrent processes get the same account. */
  open(authority: string, newKey: () => string): Promise<AuthorityAccount>;
  keepUrl(authority: string, url: string): Promise<void>;
}

/** Public DNS lookups for a domain name. */
export interface NameLookup {
  addresses(host: string): Promise<readonly string[]>;
  /** Its TXT records, each joined into one string. */
  texts(host: string): Promise<readonly string[]>;
  /** The CAA records that apply to a domain name (RFC 8659 3). */
  caa(host: string): Promise<readonly CaaRecord[]>;
}

export interface CaaRecord {
  readonly tag: string;
  readonly value: string;
  readonly isCritical: boolean;
}
