import { createConnection } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectNoBlock } from '../support/event-loop-block.ts';
import { startTestService } from '../support/service.ts';
import { times } from '../support/times.ts';
import { fuzz } from './run.ts';

const seed = 20_261_115;
const count = times(1_000, 3_000);

test(`answers ${count} generated requests by the document, never with a 500`, async () => {
  const { requests, byStatus, failures, worstTurnMs } = await fuzz(count, seed);
  console.log(`fuzz: ${requests} requests, ${JSON.stringify(byStatus)}, longest turn ${worstTurnMs.toFixed(0)} ms`);
  expect(failures).toEqual([]);
  expectNoBlock(worstTurnMs, `${count} generated requests`);
  expect(requests).toBeGreaterThanOrEqual(count);
  // A fuzzer without any accepted request proves nothing.
  expect(byStatus['200'] ?? 0).toBeGreaterThan(requests / 20);
});

test('answers or closes 300 malformed connections, and keeps running', async () => {
  const t = await startTestService();
  const { hostname, port } = new URL(t.url);
  const whole = Buffer.from(
    `POST /v1/customers?limit=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${Buffer.from(t.demo).toString('base64')}\r\nContent-Type: application/json\r\nContent-Length: 16\r\nConnection: close\r\n\r\n{"name":"value"}`,
  );
  const mutations = fc.array(
    fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255), kind: fc.constantFrom('set', 'cut', 'double') }),
    { minLength: 1, maxLength: 6 },
  );
  for (const changes of fc.sample(mutations, { numRuns: 300, seed })) {
    let bytes = Buffer.from(whole);
    for (const { at, byte, kind } of changes) {
      if (kind === 'set') bytes[at % bytes.length] = byte;
      else if (kind === 'cut') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 5)]);
      else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 9))]);
      if (bytes.length === 0) bytes = Buffer.from('\n');
    }
    const text = await new Promise<string>((resolve) => {
      let got = '';
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.on('data', (piece) => {
        got += piece;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(got));
      socket.end(bytes);
    });
    if (text !== '') expect(text).toMatch(/^HTTP\/1\.1 (200|4\d\d) /);
  }
  expect((await t.call('GET', '/v1/account/profile')).status).toBe(200);
  await t.stop();
});
