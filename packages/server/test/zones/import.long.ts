import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { zoneLimits } from '../../src/core/zones/limits.ts';
import { makeDomain } from './support.ts';

const imports = 50;
/** The apex has its own SOA and NS records. */
const records = zoneLimits.recordsPerZone - 10;
const parallelCalls = 4;

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const zoneFile = (round: number) =>
  `$TTL 300\n${Array.from({ length: records }, (_, n) =>
    n % 3 === 1 ? `host-${n} TXT "round ${round} of ${n}"` : `host-${n} A 192.0.2.${(round + n) % 250}`,
  ).join('\n')}\n`;

test(`imports ${records} records ${imports} times in succession while other requests are served`, {
  timeout: 2 * 3_600_000,
}, async () => {
  const id = await makeDomain(t, 'large-import.com');
  let isOver = false;
  const load = Array.from({ length: parallelCalls }, async () => {
    while (!isOver) expect((await t.call('GET', '/v1/domains')).status).toBe(200);
  });
  const took: number[] = [];
  for (let round = 0; round < imports; round++) {
    const begun = performance.now();
    const called = await t.call('PUT', `/v1/domains/${id}/zone/file`, {
      raw: { type: 'text/dns', body: zoneFile(round) },
      headers: round === 0 ? { 'If-None-Match': '*' } : { 'If-Match': '*' },
    });
    expect(called.status, `import ${round + 1}: ${called.text.slice(0, 300)}`).toBe(200);
    took.push(Math.round(performance.now() - begun));
    if (took.length % 10 === 0) console.log(`${took.length} imports, the last in ${took.at(-1)} ms`);
  }
  isOver = true;
  await Promise.all(load);
  const zone = await t.call('GET', `/v1/domains/${id}/zone`);
  expect(zone.body.record_count).toBeGreaterThanOrEqual(records);
  console.log(`fastest ${Math.min(...took)} ms, slowest ${Math.max(...took)} ms`);
});
