import { afterAll, beforeAll, expect, test } from 'vitest';
import { PasswordTrials } from './password-trials.ts';

/** kill -9 of the command at every failpoint; connection-settings.test.ts covers one of them. */
let trials: PasswordTrials;
beforeAll(async () => {
  trials = await PasswordTrials.open();
});
afterAll(() => trials.close());

test.each([
  ['password:before-stored', 0, false],
  ['password:stored', 1, true],
  ['password:answered', 0, true],
  ['password:kept', 0, true],
])('settles the password change after a kill at %s', async (failpoint, refused, isChanged) => {
  const start = await trials.before();
  expect(await trials.command([], [failpoint]).ended).toMatchObject({ signal: 'SIGKILL' });
  await trials.settled(start, { refused, isChanged });
});

test.each([
  ['drop-before', 1],
  ['drop-after-commit', 0],
] as const)('settles the password change after a kill while it waits for the answer, %s', async (kind, refused) => {
  const start = await trials.before();
  await trials.killWaiting(kind);
  await trials.settled(start, { refused, isChanged: true });
});
