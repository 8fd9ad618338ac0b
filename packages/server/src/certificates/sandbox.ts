import { randomUUID } from 'node:crypto';
import { openWebIssuer } from '@namehold/sandbox/identity/web-issuer';
import { AuthorityError, type CertificateAuthority } from '../core/ports/certificate-authority.ts';
import { certificateRequest, newPrivateKey } from './csr.ts';

const mostKept = 1_000;

/**
 * The CA of the sandbox, in the data folder. It requires no proofs. A certificate is kept until it is fetched; a lost order is issued
 * again.
 */
export function sandboxAuthority(folder: string): CertificateAuthority {
  const made = new Map<string, string>();
  let issuer: ReturnType<typeof openWebIssuer> | undefined;
  return {
    name: 'sandbox',
    issuesWithoutValidation: true,
    newKey: newPrivateKey,
    caaNames: async () => [],
    newOrder: async () => `sandbox:${randomUUID()}`,
    findOrder: async () => undefined,
    readOrder: async (url) => ({
      status: made.has(url) ? 'valid' : 'ready',
      problem: undefined,
      retryAfterMs: undefined,
    }),
    readProofs: async () => [],
    answer: async () => undefined,
    async finalize(url, names, key) {
      issuer ??= openWebIssuer(folder);
      const chain = await (await issuer).issue(names, certificateRequest(names, key));
      made.set(url, chain);
      for (const oldest of made.keys()) {
        if (made.size <= mostKept) break;
        made.delete(oldest);
      }
    },
    async download(url) {
      const chain = made.get(url);
      if (chain === undefined) throw new AuthorityError('gone', 'the sandbox CA does not have the order');
      return chain;
    },
    renewal: async () => undefined,
  };
}
