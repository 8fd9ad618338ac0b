import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newLabel } from './support/objects.ts';
import { startTestRegistry } from './support/sandbox.ts';

const script = fileURLToPath(new URL('./net-epp-client.pl', import.meta.url));
// Debian's libnet-epp-perl is one of the packages that the test run installs.
test('accepts register, renew, update, transfer, poll and delete from Net::EPP of Debian', async () => {
  const registry = await startTestRegistry();
  const { host, port, caFile, accounts } = registry.sandbox;
  const state = join(registry.folder, 'state.json');
  writeFileSync(state, JSON.stringify({ host, port, ca_file: caFile, accounts }), { mode: 0o600 });
  const { stdout } = await promisify(execFile)('perl', [script, state, newLabel('perl')], { timeout: 600_000 });
  const steps = stdout.trim().split('\n');
  expect(steps.at(-1)).toBe('all done');
  expect(steps).toContain('transfer request: 1001');
  expect(steps).toContain('delete: 1001');
  await registry.close();
});
