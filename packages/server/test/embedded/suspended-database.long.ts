import { expect, test } from 'vitest';
import { suspendFamily } from '../../../../test/faults/world/database.ts';
import { isAlive, newFolder, postgresPid, removeFolder, startProcess } from '../support/process.ts';

/** The sum of the limits of the parts that wait for the database; the limit of the process is 35 s. */
const stopLimitMs = 20_000;

test('stops in time with a suspended embedded PostgreSQL, names the part, and keeps the data', async () => {
  const folder = newFolder();
  try {
    const service = await startProcess({ folder });
    const { reseller_id } = service.credentials;
    const database = postgresPid(folder)!;
    suspendFamily(database);
    const since = performance.now();
    const exit = await service.end();
    const tookMs = performance.now() - since;
    console.log(`stopped in ${Math.round(tookMs)} ms`);
    expect(exit, service.output()).toEqual({ code: 0, signal: null });
    expect(tookMs).toBeLessThan(stopLimitMs);
    expect(service.output()).toMatch(/"part":"embedded PostgreSQL".*PostgreSQL is suspended; its processes are killed/);
    // All of the time belongs to a named part.
    const line = service
      .output()
      .split('\n')
      .find((each) => each.includes('"msg":"service stopped"'))!;
    const { took_ms, parts_ms } = JSON.parse(line) as { took_ms: number; parts_ms: Record<string, number> };
    console.log(JSON.stringify(parts_ms));
    expect(Object.keys(parts_ms)).toEqual(expect.arrayContaining(['requests', 'operations', 'embedded PostgreSQL']));
    // Some parts are stopped at the same time.
    const named = Object.values(parts_ms).reduce((sum, ms) => sum + ms, 0);
    expect(named).toBeGreaterThan(took_ms - 50);
    expect(tookMs - took_ms).toBeLessThan(1_500);
    expect(isAlive(database)).toBe(false);
    const next = await startProcess({ folder });
    expect(next.credentials.reseller_id).toBe(reseller_id);
    expect((await next.end()).code).toBe(0);
  } finally {
    removeFolder(folder);
  }
});
