import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTestService } from '../../../../test/support/service.ts';
import { readState } from '../../src/embedded/sandbox-process.ts';

test('a service that has stopped starts no registry any more', async () => {
  const service = await startTestService({ sandbox: true });
  const second = await service.second();
  await second.stop();
  await service.service.stop();
  const { pid } = service.service.sandbox!.state;
  process.kill(pid, 'SIGKILL');
  // Whoever still watches would see it and start another, within two looks of a second each.
  for (let look = 0; look < 25; look++) {
    await sleep(100);
    expect(readState(`${service.folder}/sandbox`)).toBeUndefined();
  }
  await service.stop();
});
