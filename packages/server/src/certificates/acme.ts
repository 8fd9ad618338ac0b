import { createHash, X509Certificate } from 'node:crypto';
import { systemClock } from '@namehold/base';
import { z } from 'zod';
import {
  AuthorityError,
  type AuthorityOrder,
  type CertificateAuthority,
  type Proof,
  type ProofMethod,
  type RenewalWindow,
} from '../core/ports/certificate-authority.ts';
import { type AcmeOptions, AcmeSession, errorFrom, locationOf, readAnswer, retryAfterMs } from './acme-session.ts';
import { certificateRequest, newPrivateKey } from './csr.ts';
import type { HttpsAnswer } from './https.ts';

const problem = z.object({ type: z.string().default(''), detail: z.string().default('') });
const identifier = z.object({ type: z.string(), value: z.string() });
const orderAnswer = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  identifiers: z.array(identifier),
  authorizations: z.array(z.url()).default([]),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: problem.optional(),
});
type Order = z.output<typeof orderAnswer>;
const challengeAnswer = z.object({
  type: z.string(),
  url: z.url().optional(),
  token: z
    .string()
    .regex(/^[\w-]{1,200}$/)
    .optional(),
  status: z.string().optional(),
  error: problem.optional(),
});
const authorizationAnswer = z.object({
  status: z.string(),
  identifier,
  wildcard: z.boolean().optional(),
  challenges: z.array(challengeAnswer),
});
const accountAnswer = z.object({ orders: z.url().optional() });
const orderList = z.object({ orders: z.array(z.url()) });

const renewalAnswer = z.object({
  suggestedWindow: z.object({ start: z.iso.datetime({ offset: true }), end: z.iso.datetime({ offset: true }) }),
});

const chainsRead = 5;
/** Limits of the search for an order whose URL was lost. */
const pagesRead = 20;
const ordersRead = 50;

/** Orders certificates by ACME (RFC 8555). */
export function acmeAuthority(options: AcmeOptions): CertificateAuthority {
  const session = new AcmeSession(options);
  const read = async (url: string): Promise<Order> => readAnswer(await session.post(url), orderAnswer);
  const authorization = async (url: string) => readAnswer(await session.post(url), authorizationAnswer);
  return {
    name: options.directory,
    issuesWithoutValidation: false,
    newKey: newPrivateKey,
    caaNames: async () =>
      options.caa.length > 0 ? options.caa : ((await session.directory()).meta?.caaIdentities ?? []),
    newOrder: (names, replaced) => newOrder(session, names, replaced),
    findOrder: (names, known) => findOrder(session, read, names, known),
    async readOrder(url): Promise<AuthorityOrder> {
      const answer = await session.post(url);
      const order = readAnswer(answer, orderAnswer);
      return {
        status: order.status,
        problem: order.status === 'invalid' ? await whyInvalid(order, authorization) : undefined,
        retryAfterMs: retryAfterMs(answer, systemClock.now().getTime()),
      };
    },
    async readProofs(url, method) {
      const { signer } = await session.account();
      const proofs: Proof[] = [];
      for (const at of (await read(url)).authorizations) {
        const { status, identifier: of, challenges } = await authorization(at);
        if (status !== 'pending') continue;
        const challenge = challenges.find((one) => one.type === method);
        if (!challenge?.url || !challenge.token)
          throw new AuthorityError('refused', `the certificate authority offers no ${method} for ${of.value}`);
        const value = proofValue(method, signer.keyAuthorization(challenge.token));
        proofs.push({ name: of.value, url: challenge.url, token: challenge.token, value });
      }
      return proofs;
    },
    async answer(proof) {
      const { status } = readAnswer(await session.post(proof.url), challengeAnswer);
      // A challenge that the authority has already validated is not triggered again.
      if (status === 'pending' || status === undefined) await session.post(proof.url, {});
    },
    async finalize(url, names, key) {
      const { finalize } = await read(url);
      await session.post(finalize, { csr: certificateRequest(names, key).toString('base64url') });
    },
    async download(url) {
      const { certificate } = await read(url);
      if (certificate === undefined) throw new AuthorityError('away', 'the certificate is not available yet');
      return chosenChain(session, certificate, options.chain);
    },
    renewal: (chain) => renewalOf(session, chain),
  };
}

/** RFC 8555 8.3, 8.4. */
function proofValue(method: ProofMethod, keyAuthorization: string): string {
  return method === 'http-01' ? keyAuthorization : createHash('sha256').update(keyAuthorization).digest('base64url');
}

const keyOf = (names: readonly string[]) => [...names].sort().join(' ');

/** RFC 8555 7.1.2.1. Many authorities list no orders; then a new order is created. */
async function findOrder(
  session: AcmeSession,
  read: (url: string) => Promise<Order>,
  names: readonly string[],
  known: ReadonlySet<string>,
): Promise<string | undefined> {
  const { url } = await session.account();
  let { orders: page } = readAnswer(await session.post(url), accountAnswer);
  let seen = 0;
  for (let pages = 0; page !== undefined && pages < pagesRead; pages++) {
    const answer = await session.post(page);
    for (const each of readAnswer(answer, orderList).orders) {
      if (known.has(each)) continue;
      if (++seen > ordersRead) return undefined;
      const { status, identifiers } = await read(each);
      const isOurs = keyOf(identifiers.map((one) => one.value)) === keyOf(names);
      if (isOurs && (status === 'pending' || status === 'ready')) return each;
    }
    page = links(answer, 'next')[0];
  }
  return undefined;
}

/** The target of a Link header for a relation (RFC 8288). */
function links({ headers: { link } }: HttpsAnswer, relation: 'next' | 'alternate'): string[] {
  const written = typeof link === 'string' ? link : (link ?? []).join(', ');
  return [...written.matchAll(/<([^>]+)>\s*;\s*rel="?(\w+)"?/g)]
    .filter((match) => match[2] === relation)
    .map((match) => match[1]!);
}

/** RFC 9773 5: `replaces` is sent only if supported. If the authority refuses it, the order is sent again without it. */
async function newOrder(session: AcmeSession, names: readonly string[], replaced: string | undefined): Promise<string> {
  const { newOrder: url, renewalInfo } = await session.directory();
  const order = { identifiers: names.map((value) => ({ type: 'dns', value })) };
  const replaces = renewalInfo === undefined || replaced === undefined ? undefined : certificateId(replaced);
  if (replaces === undefined) return locationOf(await session.post(url, order));
  try {
    return locationOf(await session.post(url, { ...order, replaces }));
  } catch (error) {
    if (!(error instanceof AuthorityError) || error.kind !== 'refused') throw error;
    return locationOf(await session.post(url, order));
  }
}

/** RFC 8555 7.4.2: of the offered chains, the one that ends at the preferred root; otherwise the first. */
async function chosenChain(session: AcmeSession, url: string, root: string | undefined): Promise<string> {
  const first = await session.post(url);
  if (root === undefined || leadsTo(first.body, root)) return first.body;
  for (const alternate of links(first, 'alternate').slice(0, chainsRead)) {
    const { body } = await session.post(alternate);
    if (leadsTo(body, root)) return body;
  }
  return first.body;
}

function leadsTo(chain: string, root: string): boolean {
  const top = chain.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)?.at(-1);
  return top !== undefined && new X509Certificate(top).issuer.split('\n').includes(`CN=${root}`);
}

/** RFC 9773 4. */
async function renewalOf(session: AcmeSession, chain: string): Promise<RenewalWindow | undefined> {
  const { renewalInfo } = await session.directory();
  const id = certificateId(chain);
  if (renewalInfo === undefined || id === undefined) return undefined;
  const answer = await session.get(`${renewalInfo.replace(/\/$/, '')}/${id}`);
  const { suggestedWindow } = readAnswer(answer, renewalAnswer);
  const [from, to] = [new Date(suggestedWindow.start), new Date(suggestedWindow.end)];
  return from < to ? { from, to, retryAfterMs: retryAfterMs(answer, systemClock.now().getTime()) } : undefined;
}

/** RFC 9773 4.1: the key identifier of the issuer and the serial number. Node does not expose the extension that contains the former. */
export function certificateId(chain: string): string | undefined {
  const { raw, serialNumber } = new X509Certificate(chain);
  const at = raw.indexOf(Buffer.from('0603551d23', 'hex'));
  // Identifier, then an OCTET STRING, in it a SEQUENCE, in that [0], each shorter than 128 bytes.
  const extension = at < 0 ? raw.subarray(0, 0) : raw.subarray(at + 5);
  if (extension[0] !== 0x04 || extension[2] !== 0x30 || extension[4] !== 0x80) return undefined;
  const key = extension.subarray(6, 6 + extension[5]!);
  const digits = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  const serial = Buffer.from(Number.parseInt(digits[0]!, 16) >= 8 ? `00${digits}` : digits, 'hex');
  return `${key.toString('base64url')}.${serial.toString('base64url')}`;
}

/** The error of the order is generic; the failed authorization has the cause. */
async function whyInvalid(
  order: Order,
  authorization: (url: string) => Promise<z.output<typeof authorizationAnswer>>,
): Promise<AuthorityError> {
  for (const url of order.authorizations) {
    const { identifier: of, challenges } = await authorization(url);
    const error = challenges.find((challenge) => challenge.error)?.error;
    if (error) return errorFrom({ ...error, detail: `${of.value}: ${error.detail}` }, 403);
  }
  return errorFrom(order.error ?? { type: '', detail: 'the order is invalid' }, 403);
}
