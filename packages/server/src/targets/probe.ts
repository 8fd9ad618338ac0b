import { request } from 'node:https';
import { isIP } from 'node:net';
import type { ProbeAnswer, TargetProbe } from '../core/ports/target-probe.ts';

const answerMs = 5_000;
const headerBytes = 16_384;

/** One request over TLS to an address that the caller has checked (SSRF): the host is not resolved again. Reads only the headers. */
export function targetProbe(userAgent: string): TargetProbe {
  return {
    request(url, address) {
      const { promise, resolve } = Promise.withResolvers<ProbeAnswer | undefined>();
      const name = url.hostname.replace(/^\[|\]$/g, '');
      const sent = request({
        host: address,
        port: url.port === '' ? 443 : Number(url.port),
        path: `${url.pathname}${url.search}`,
        headers: { Host: url.host, 'User-Agent': userAgent, Accept: 'text/html' },
        ...(isIP(name) ? {} : { servername: name }),
        agent: false,
        maxHeaderSize: headerBytes,
        // Invalid certificates are reported and do not fail the request; no secret is sent.
        rejectUnauthorized: false,
        signal: AbortSignal.timeout(answerMs),
      });
      sent.on('response', (response) => {
        const isTrusted = 'authorized' in response.socket && response.socket.authorized === true;
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : value]),
        );
        resolve({ status: response.statusCode ?? 0, headers, isTrusted });
        sent.destroy();
      });
      sent.on('error', () => resolve(undefined));
      sent.end();
      return promise;
    },
  };
}
