import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { resume, suspend } from '../../../test/support/suspend.ts';

const program = fileURLToPath(new URL('./support/watched-program.ts', import.meta.url));

function run(how: string, limitMs: number, options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, program, how, String(limitMs)], {
    stdio: ['pipe', 'pipe', options.length > 0 ? 'ignore' : 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      child.stdin.end();
      child.once('close', () => resolve({ code, signal }));
    });
  });
  const logged = () =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  return { child, ended, logged, output: () => output };
}

test.each([
  ['microtasks', /askAgain \(file:.*watched-program\.ts:\d+:\d+\)/],
  ['loop', /\bloop \(file:.*watched-program\.ts:\d+:\d+\)/],
])('ends a process whose main thread is blocked by %s, with its stack in the log', async (how, stack) => {
  const { ended, logged } = run(how, 600);
  expect(await ended).toEqual({ code: 70, signal: null });
  expect(logged()).toEqual([
    {
      level: 'fatal',
      time: expect.any(String),
      limit_ms: 600,
      stack: expect.stringMatching(stack),
      msg: 'event loop blocked; exiting',
    },
  ]);
});

test('ends a process whose main thread waits in a system call without end, without a stack', async () => {
  const { ended, logged } = run('system', 600);
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(logged()).toMatchObject([{ level: 'fatal', stack: expect.stringMatching(/^\(not available/) }]);
});

test('does not end a process that was suspended for longer than the limit', async () => {
  const { child, ended, logged, output } = run('nothing', 3_000);
  await expect.poll(output).toContain('alive');
  suspend(child.pid!);
  await sleep(4_000);
  const before = output().length;
  resume(child.pid!);
  await expect.poll(() => output().length).toBeGreaterThan(before + 200);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(logged()).toEqual([]);
});

test('does not end a process that a debugger can pause', async () => {
  const { child, ended, logged, output } = run('loop', 300, ['--inspect=127.0.0.1:0']);
  await expect.poll(output).toContain('started');
  // The program blocks a second after its start; without a debugger it would end 0.3 s later.
  const early = await Promise.race([ended, sleep(3_000, 'blocked')]);
  expect(early).toBe('blocked');
  child.kill('SIGKILL');
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(logged()).toEqual([]);
});
