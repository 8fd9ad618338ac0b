import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basic } from '../request-pipeline/support/raw.ts';
import { demoOf, newFolder, postgresPid, removeFolder, runNamehold, startProcess } from '../support/process.ts';

const env = { NAMEHOLD_LOG_LEVEL: 'error', NAMEHOLD_DEMO_DOMAINS: 'off' };

test('shares one database and one set of accounts between two concurrent first starts on one folder', async () => {
  const shared = newFolder();
  const services = await Promise.all([1, 2].map(() => startProcess({ folder: shared, env })));
  expect(services.filter((each) => each.output().includes('This was the first start'))).toHaveLength(1);
  for (const each of services) {
    const own = /is running at (\S+)/.exec(each.output())![1]!;
    const { status } = await fetch(`${own}/v1/account/profile`, { headers: { Authorization: basic(demoOf(each)) } });
    expect(status).toBe(200);
  }
  const listed = await runNamehold(['reseller', 'list', '--json'], { folder: shared });
  expect(listed.json.map((row: { reseller_id: string }) => row.reseller_id)).toEqual(['1', '1000']);
  for (const each of services) expect((await each.end()).code).toBe(0);
  expect(postgresPid(shared)).toBeUndefined();
  expect(readdirSync(join(shared, 'postgres')).filter((name) => name.startsWith('data'))).toEqual(['data']);
  removeFolder(shared);
});
