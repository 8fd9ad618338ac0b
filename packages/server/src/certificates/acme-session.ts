import { systemClock } from '@namehold/base';
import { z } from 'zod';
import { type AccountStore, AuthorityError } from '../core/ports/certificate-authority.ts';
import { newPrivateKey } from './csr.ts';
import type { HttpsAnswer, HttpsCall } from './https.ts';
import { Signer } from './jws.ts';

export interface AcmeOptions {
  readonly directory: string;
  readonly email: string | undefined;
  /** External account binding, if the authority requires one. */
  readonly binding: { readonly keyId: string; readonly hmacKey: string } | undefined;
  /** Issuer domain names for CAA records. Empty: those that its directory lists. */
  readonly caa: readonly string[];
  /** Common name of the preferred root, if the authority offers several chains. */
  readonly chain: string | undefined;
  readonly accounts: AccountStore;
  readonly call: HttpsCall;
}

const directoryAnswer = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  renewalInfo: z.url().optional(),
  meta: z
    .object({
      termsOfService: z.string().optional(),
      caaIdentities: z.array(z.string()).optional(),
      externalAccountRequired: z.boolean().optional(),
    })
    .optional(),
});
type Directory = z.output<typeof directoryAnswer>;

const problemAnswer = z.object({ type: z.string().default(''), detail: z.string().default('') });
type Problem = z.output<typeof problemAnswer>;

const errorPrefix = 'urn:ietf:params:acme:error:';
/** A nonce may be refused at any time (RFC 8555 6.5); each refusal brings a new one. */
const nonceTries = 12;
const noncesKept = 20;
const detailLength = 300;

interface Account {
  readonly signer: Signer;
  readonly url: string;
}

/** Sends signed requests to one ACME server and keeps its directory, nonces and our account. */
export class AcmeSession {
  readonly #options: AcmeOptions;
  readonly #nonces: string[] = [];
  #directory: Promise<Directory> | undefined;
  #account: Promise<Account> | undefined;
  #isEvicted = false;

  constructor(options: AcmeOptions) {
    this.#options = options;
  }

  directory(): Promise<Directory> {
    this.#directory ??= this.#readDirectory().catch((error: unknown) => {
      this.#directory = undefined;
      throw error;
    });
    return this.#directory;
  }

  account(): Promise<Account> {
    this.#account ??= this.#openAccount().catch((error: unknown) => {
      this.#account = undefined;
      throw error;
    });
    return this.#account;
  }

  /** An unsigned GET of a public resource. */
  async get(url: string): Promise<HttpsAnswer> {
    const answer = await this.#options.call('GET', url);
    if (answer.status !== 200) throw errorOf(answer);
    return answer;
  }

  /** `payload` undefined: POST-as-GET. */
  async post(url: string, payload?: unknown): Promise<HttpsAnswer> {
    const { signer, url: accountUrl } = await this.account();
    try {
      return await this.#signed(signer, accountUrl, url, payload);
    } catch (error) {
      // The authority no longer has our account. Registration with the same key creates it again.
      if (error instanceof UnknownAccount) {
        this.#account = undefined;
        this.#isEvicted = true;
      }
      throw error;
    }
  }

  async #readDirectory(): Promise<Directory> {
    return readAnswer(await this.get(this.#options.directory), directoryAnswer);
  }

  async #openAccount(): Promise<Account> {
    const { directory, accounts, binding, email } = this.#options;
    const { newAccount, meta } = await this.directory();
    if (meta?.externalAccountRequired && !binding)
      throw new AuthorityError(
        'refused',
        'the certificate authority requires an external account: set NAMEHOLD_ACME_EAB_KEY_ID and NAMEHOLD_ACME_EAB_HMAC_KEY',
      );
    const kept = await accounts.open(directory, newPrivateKey);
    const signer = new Signer(kept.key);
    if (kept.url !== null && !this.#isEvicted) return { signer, url: kept.url };
    const answer = await this.#signed(signer, undefined, newAccount, {
      termsOfServiceAgreed: true,
      ...(email ? { contact: [`mailto:${email}`] } : {}),
      ...(binding ? { externalAccountBinding: signer.bind({ url: newAccount, ...binding }) } : {}),
    });
    const url = locationOf(answer);
    await accounts.keepUrl(directory, url);
    this.#isEvicted = false;
    return { signer, url };
  }

  async #signed(signer: Signer, accountUrl: string | undefined, url: string, payload: unknown): Promise<HttpsAnswer> {
    for (let attempt = 1; ; attempt++) {
      const nonce = this.#nonces.pop() ?? (await this.#newNonce());
      const answer = await this.#options.call('POST', url, signer.sign({ url, nonce, accountUrl, payload }));
      const isStale = answer.status >= 400 && problemOf(answer)?.type === `${errorPrefix}badNonce`;
      // A restarted server rejects nonces from before its restart.
      if (isStale) this.#nonces.length = 0;
      this.#keepNonce(answer);
      if (answer.status < 400) return answer;
      if (isStale && attempt < nonceTries) continue;
      throw errorOf(answer);
    }
  }

  async #newNonce(): Promise<string> {
    const { newNonce } = await this.directory();
    const answer = await this.#options.call('HEAD', newNonce);
    const nonce = answer.headers['replay-nonce'];
    if (typeof nonce !== 'string') throw errorOf(answer);
    return nonce;
  }

  #keepNonce({ headers }: HttpsAnswer): void {
    const nonce = headers['replay-nonce'];
    if (typeof nonce === 'string' && this.#nonces.length < noncesKept) this.#nonces.push(nonce);
  }
}

class UnknownAccount extends AuthorityError {}

export function readAnswer<T>(answer: HttpsAnswer, form: z.ZodType<T>): T {
  const read = form.safeParse(parsed(answer.body));
  if (read.success) return read.data;
  throw new AuthorityError('away', 'the response of the certificate authority is not valid ACME');
}

export function locationOf({ headers }: HttpsAnswer): string {
  const { location } = headers;
  if (typeof location === 'string') return location;
  throw new AuthorityError('away', 'the certificate authority returned no Location header');
}

/** RFC 9110 10.2.3: seconds or a date. */
export function retryAfterMs({ headers }: HttpsAnswer, now: number): number | undefined {
  const written = headers['retry-after'];
  if (typeof written !== 'string') return undefined;
  const ms = /^\d{1,9}$/.test(written) ? Number(written) * 1_000 : Date.parse(written) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf(answer: HttpsAnswer): Problem | undefined {
  return problemAnswer.safeParse(parsed(answer.body)).data;
}

function errorOf(answer: HttpsAnswer): AuthorityError {
  const problem = problemOf(answer) ?? { type: '', detail: '' };
  const later = retryAfterMs(answer, systemClock.now().getTime());
  return errorFrom(problem, answer.status, later);
}

/** Maps a problem document (RFC 8555 6.7) to an AuthorityError. */
export function errorFrom(problem: Problem, status: number, later?: number): AuthorityError {
  const code = problem.type.startsWith(errorPrefix) ? problem.type.slice(errorPrefix.length) : '';
  const problemText = `${code || `status ${status}`}: ${problem.detail}`.slice(0, detailLength);
  const sentence = `the certificate authority returned: ${problemText}`;
  if (code === 'rateLimited' || status === 429) return new AuthorityError('limited', sentence, later);
  if (code === 'caa') return new AuthorityError('forbidden', sentence);
  if (code === 'accountDoesNotExist') return new UnknownAccount('away', sentence);
  if (code === 'serverInternal' || code === 'badNonce' || code === 'orderNotReady' || status >= 500)
    return new AuthorityError('away', sentence, later);
  return new AuthorityError(status === 404 ? 'gone' : 'refused', sentence);
}
