import { request } from 'node:https';
import { AuthorityError } from '../core/ports/certificate-authority.ts';

const answerMs = 15_000;
const answerBytes = 1_048_576;

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type HttpsCall = (
  method: 'GET' | 'HEAD' | 'POST',
  url: string,
  body?: string | undefined,
) => Promise<HttpsAnswer>;

/** One HTTPS request with limits on time and length. `ca` replaces the default roots. */
export function httpsCaller(options: { readonly ca: string | undefined; readonly userAgent: string }): HttpsCall {
  return async (method, url, body) => {
    const { promise, resolve, reject } = Promise.withResolvers<HttpsAnswer>();
    const lost = (error: Error) =>
      reject(new AuthorityError('away', `the certificate authority does not answer: ${error.message}`));
    const sent = request(
      url,
      {
        method,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
        headers: {
          'User-Agent': options.userAgent,
          ...(body === undefined ? {} : { 'Content-Type': 'application/jose+json' }),
        },
        signal: AbortSignal.timeout(answerMs),
      },
      (response) => {
        const pieces: Buffer[] = [];
        let octets = 0;
        response.on('data', (piece: Buffer) => {
          octets += piece.length;
          if (octets > answerBytes) response.destroy(new Error('the answer is too long'));
          else pieces.push(piece);
        });
        response.on('error', lost);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(pieces).toString('utf8'),
          }),
        );
      },
    );
    sent.on('error', lost);
    sent.end(body);
    return promise;
  };
}
