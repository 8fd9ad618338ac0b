/** How it is shown that a name is ours to have a certificate for: by a record in its zone, or by a page that an edge answers. */
export type ProofMethod = 'dns-01' | 'http-01';

/** What must be shown for one name before the authority looks. Stored as JSON. */
export interface Proof {
  readonly name: string;
  /** Where the authority is told to look. */
  readonly url: string;
  readonly token: string;
  /** The record's text, or the page. */
  readonly value: string;
}

export interface AuthorityOrder {
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  /** Why it is invalid, as the authority says it. */
  readonly problem: AuthorityError | undefined;
  /** How long it wishes not to be asked again. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Who makes certificates. Each call is one step that may be made again: an order lives at the authority under its URL, and what was done
 * to it is read there.
 */
export interface CertificateAuthority {
  /** Kept with its certificates: those of another one are replaced. */
  readonly name: string;
  /** It makes certificates without proofs: the one of the sandbox. */
  readonly isTrusting: boolean;
  /** The names by which CAA records allow it; none are known: it judges them itself. */
  caaNames(): Promise<readonly string[]>;
  /** `replaced`: the certificate, PEM, that the new one comes after. */
  newOrder(names: readonly string[], replaced?: string): Promise<string>;
  /** An open order for these names that we may have made without learning its URL. */
  findOrder(names: readonly string[], known: ReadonlySet<string>): Promise<string | undefined>;
  readOrder(url: string): Promise<AuthorityOrder>;
  /** What is still to be shown. */
  readProofs(url: string, method: ProofMethod): Promise<Proof[]>;
  /** Tells it to look. */
  answer(proof: Proof): Promise<void>;
  /** A private key, PEM. */
  newKey(): string;
  finalize(url: string, names: readonly string[], key: string): Promise<void>;
  /** The certificate and those above it, PEM. */
  download(url: string): Promise<string>;
  /** When it wants a certificate, PEM, to be renewed; undefined: it does not say. */
  renewal(chain: string): Promise<RenewalWindow | undefined>;
}

export interface RenewalWindow {
  readonly from: Date;
  readonly to: Date;
  /** How long it wishes not to be asked again. */
  readonly retryAfterMs: number | undefined;
}

/**
 * `away`: nothing is known, try again. `limited`: it wants to be left alone for a while, with every order. `forbidden`: records of the name
 * do not allow it. `gone`: it does not know the order any more. `refused`: no, with its words.
 */
export type AuthorityErrorKind = 'away' | 'limited' | 'forbidden' | 'gone' | 'refused';

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
export interface AuthorityAccount {
  readonly key: string;
  /** Null: it was not told to us yet. */
  readonly url: string | null;
}

export interface AccountStore {
  /** The account, its key made by `newKey` where there is none; two processes that begin at once have the same. */
  open(authority: string, newKey: () => string): Promise<AuthorityAccount>;
  keepUrl(authority: string, url: string): Promise<void>;
}

/** What the world sees of a name. */
export interface NameLookup {
  addresses(host: string): Promise<readonly string[]>;
  /** Its TXT records, each in one piece. */
  texts(host: string): Promise<readonly string[]>;
  /** The CAA records that count for a name (RFC 8659 3); none: []. */
  caa(host: string): Promise<readonly CaaRecord[]>;
}

export interface CaaRecord {
  readonly tag: string;
  readonly value: string;
  readonly isCritical: boolean;
}
