import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { makeDomain } from '../zones/support.ts';
import { certificateRows, sendHellos } from './tls-handshakes.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({
    env: { NAMEHOLD_REDIRECT_PORT: '0', NAMEHOLD_REDIRECT_TLS_PORT: '0', NAMEHOLD_REDIRECT_RATE_LIMIT: '0' },
  });
});
afterAll(() => t.stop());

test('creates no order or row and uses no more memory after 10,000 handshakes for unknown names', async () => {
  const id = await makeDomain(t, 'known.com');
  const called = await t.call('PUT', `/v1/domains/${id}/forwarding`, {
    json: { rules: [{ host: '@', target: 'https://x.example/' }] },
    headers: { 'If-Match': '*' },
  });
  expect(called.status, called.text).toBe(200);
  const { tlsPort } = t.service.edge!;
  await sendHellos(tlsPort!, 2_000);
  await sleep(2_000);
  const [rows, before] = [await certificateRows(t), process.memoryUsage().rss];
  await sendHellos(tlsPort!, 10_000);
  expect(await certificateRows(t)).toEqual(rows);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
});
