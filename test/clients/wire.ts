import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { TestService } from '../support/service.ts';

export interface ReceivedResponse {
  readonly status: number;
  /** Status line and headers, as a PHP client has them before it looks at the body. */
  readonly head: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a client reads whatever the answer holds
  readonly body: any;
  readonly text: string;
}

interface SentRequest {
  readonly method: string;
  /** With the query, exactly as it goes on the wire. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** One request with no more headers than the client itself would send: no User-Agent, no Accept-Encoding. */
export function sendRequest(t: TestService, sent: SentRequest): Promise<ReceivedResponse> {
  const target = new URL(t.url);
  const body = sent.body === undefined ? undefined : Buffer.from(sent.body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: target.hostname,
        port: target.port,
        method: sent.method,
        path: sent.path,
        headers: {
          Accept: '*/*',
          Authorization: `Basic ${Buffer.from(t.demo).toString('base64')}`,
          ...(body ? { 'Content-Length': String(body.length) } : {}),
          ...sent.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const sentBody = Buffer.concat(chunks);
          const isPacked = response.headers['content-encoding'] === 'gzip';
          const text = (isPacked ? gunzipSync(sentBody) : sentBody).toString('utf8');
          const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}`);
          resolve({
            status: response.statusCode ?? 0,
            head: [`HTTP/${response.httpVersion} ${response.statusCode} ${response.statusMessage}`, ...lines].join(
              '\r\n',
            ),
            headers: response.headers as Record<string, string>,
            body: text === '' ? undefined : JSON.parse(text),
            text,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** PHP's http_build_query: spaces as plus, false as 0, null left out. */
export function phpForm(fields: Record<string, string | number | boolean | null>): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) continue;
    form.append(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value));
  }
  return form.toString();
}

export const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** curl with an array of fields sends multipart. */
export function multipart(fields: Record<string, string>): { headers: Record<string, string>; body: string } {
  const boundary = '------------------------d74496d66958873e';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join('')}--${boundary}--\r\n`,
  };
}
