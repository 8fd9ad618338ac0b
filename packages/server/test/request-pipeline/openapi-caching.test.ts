import { get, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoBlock, threadMs } from '../../../../test/support/event-loop-block.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { buildOpenApi } from '../../src/http/openapi/document.ts';
import { prepare, sendPrepared } from '../../src/http/prepared.ts';
import { servedRoutes } from '../../src/http/v1/index.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const document = (headers: Record<string, string>) => fetch(`${t.url}/swagger/openapi.json`, { headers });

/** The bytes as sent: fetch would decompress them. */
function asSent(coding: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(`${t.url}/swagger/openapi.json`, { headers: { 'Accept-Encoding': coding } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(pieces) }));
    }).on('error', reject);
  });
}

test('sends the document with an ETag, and 304 for a matching one', async () => {
  const first = await document({});
  const tag = first.headers.get('etag')!;
  const again = await document({ 'If-None-Match': tag });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
  expect((await document({ 'If-None-Match': `W/${tag}, "other"` })).status).toBe(304);
  expect((await document({ 'If-None-Match': '"other"' })).status).toBe(200);
});

test('compresses the document if the client accepts it, with an ETag per encoding', async () => {
  const tags = new Set<string>();
  for (const [coding, expected] of [
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { headers, body } = await asSent(coding);
    expect(headers['content-encoding'], coding).toBe(expected);
    expect(headers.vary).toBe('Accept-Encoding');
    tags.add(headers.etag!);
    if (expected === 'gzip') expect(JSON.parse(gunzipSync(body).toString()).openapi).toBe('3.1.0');
    if (expected !== undefined) expect(body.length).toBeLessThan(300_000);
  }
  expect(tags.size).toBe(3);
});

test('serves the document without building it again', async () => {
  const prepared = await prepare('application/json', Buffer.from(JSON.stringify(buildOpenApi(servedRoutes))));
  const reply = { headers: () => reply, header: () => reply, type: () => reply, code: () => reply, send: () => reply };
  const request = { headers: { 'accept-encoding': 'gzip' } };
  // A thousand responses within the limit of one event-loop block.
  expectNoBlock(
    threadMs(() => {
      for (let i = 0; i < 1_000; i++) sendPrepared(prepared, request as never, reply as never);
    }),
    'a thousand documents',
  );
});
