import { createHash } from 'node:crypto';
import { systemClock } from '@namehold/base';
import { z } from 'zod';
import {
  AuthorityTrouble,
  type CertificateAuthority,
  type OrderStanding,
  type Proof,
  type ProofMethod,
} from '../core/certificates/authority.ts';
import { type AcmeOptions, AcmeSession, locationOf, readAnswer, retryAfterMs, troubleFrom } from './acme-session.ts';
import { certificateRequest, newPrivateKey } from './csr.ts';

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

/** Bounds of the search for an order whose URL was lost. */
const pagesLookedAt = 20;
const ordersLookedAt = 50;

/** Certificates by ACME (RFC 8555). */
export function acmeAuthority(options: AcmeOptions): CertificateAuthority {
  const session = new AcmeSession(options);
  const read = async (url: string): Promise<Order> => readAnswer(await session.post(url), orderAnswer);
  const authorization = async (url: string) => readAnswer(await session.post(url), authorizationAnswer);
  return {
    name: options.directory,
    isTrusting: false,
    newKey: newPrivateKey,
    caaNames: async () => (await session.directory()).meta?.caaIdentities ?? [],
    async newOrder(names) {
      const { newOrder } = await session.directory();
      return locationOf(await session.post(newOrder, { identifiers: names.map((value) => ({ type: 'dns', value })) }));
    },
    findOrder: (names, known) => findOrder(session, read, names, known),
    async readOrder(url): Promise<OrderStanding> {
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
          throw new AuthorityTrouble('refused', `the certificate authority offers no ${method} for ${of.value}`);
        const value = proofValue(method, signer.keyAuthorization(challenge.token));
        proofs.push({ name: of.value, url: challenge.url, token: challenge.token, value });
      }
      return proofs;
    },
    async answer(proof) {
      const { status } = readAnswer(await session.post(proof.url), challengeAnswer);
      // One that it has looked at already is not asked for twice.
      if (status === 'pending' || status === undefined) await session.post(proof.url, {});
    },
    async finalize(url, names, key) {
      const { finalize } = await read(url);
      await session.post(finalize, { csr: certificateRequest(names, key).toString('base64url') });
    },
    async download(url) {
      const { certificate } = await read(url);
      if (certificate === undefined) throw new AuthorityTrouble('away', 'the certificate is not there yet');
      return (await session.post(certificate)).body;
    },
  };
}

/** RFC 8555 8.3, 8.4. */
function proofValue(method: ProofMethod, keyAuthorization: string): string {
  return method === 'http-01' ? keyAuthorization : createHash('sha256').update(keyAuthorization).digest('base64url');
}

const keyOf = (names: readonly string[]) => [...names].sort().join(' ');

/** RFC 8555 7.1.2.1; an authority that lists no orders says nothing, and another order is made. */
async function findOrder(
  session: AcmeSession,
  read: (url: string) => Promise<Order>,
  names: readonly string[],
  known: ReadonlySet<string>,
): Promise<string | undefined> {
  const { url } = await session.account();
  let { orders: page } = readAnswer(await session.post(url), accountAnswer);
  let looked = 0;
  for (let pages = 0; page !== undefined && pages < pagesLookedAt; pages++) {
    const answer = await session.post(page);
    for (const each of readAnswer(answer, orderList).orders) {
      if (known.has(each)) continue;
      if (++looked > ordersLookedAt) return undefined;
      const { status, identifiers } = await read(each);
      const isOurs = keyOf(identifiers.map((one) => one.value)) === keyOf(names);
      if (isOurs && (status === 'pending' || status === 'ready')) return each;
    }
    page = nextPage(answer.headers.link);
  }
  return undefined;
}

/** RFC 8288. */
function nextPage(link: string | readonly string[] | undefined): string | undefined {
  return /<([^>]+)>\s*;\s*rel="?next"?/.exec(typeof link === 'string' ? link : (link ?? []).join(', '))?.[1];
}

/** The order says little; the authorization that failed says why. */
async function whyInvalid(
  order: Order,
  authorization: (url: string) => Promise<z.output<typeof authorizationAnswer>>,
): Promise<AuthorityTrouble> {
  for (const url of order.authorizations) {
    const { identifier: of, challenges } = await authorization(url);
    const error = challenges.find((challenge) => challenge.error)?.error;
    if (error) return troubleFrom({ ...error, detail: `${of.value}: ${error.detail}` }, 403);
  }
  return troubleFrom(order.error ?? { type: '', detail: 'the order is invalid' }, 403);
}
