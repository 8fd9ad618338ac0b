import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { blockLimitMs } from './event-loop-block.ts';
import { projectRoot } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'namehold-meter-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The longest tick of a program that runs `script`. `busy(ms)` uses that much processor time besides the host's share; `short(ms)` at
 * most that much.
 */
function worstOf(script: string): number {
  const meter = pathToFileURL(join(projectRoot, 'test/support/event-loop-block-meter.ts')).href;
  const file = join(folder, 'stall');
  const program = `
    import { readFileSync } from 'node:fs';
    const stolen = () => 10 * Number(readFileSync('/proc/stat', 'utf8').split('\\n', 1)[0].split(/\\s+/)[8]);
    const used = (from) => { const { user, system } = process.threadCpuUsage(from); return (user + system) / 1000; };
    const short = (ms) => { const from = process.threadCpuUsage(); while (used(from) < ms); };
    const busy = (ms) => { const from = process.threadCpuUsage(); const before = stolen(); while (used(from) - (stolen() - before) < ms) short(2); };
    const watched = (work) => { process.kill(process.pid, 'SIGUSR2'); setTimeout(() => { work(); setTimeout(() => undefined, 100); }, 100); };
    ${script}`;
  execFileSync(process.execPath, ['--import', meter, '--input-type=module', '-e', program], {
    env: { ...process.env, STALL_FILE: file },
  });
  return Number(readFileSync(file, 'utf8'));
}

test.each([
  ['in one callback', 'watched(() => setTimeout(() => busy(300), 5));'],
  ['in a chain of promises', 'watched(async () => { for (let n = 0; n < 45; n++) { busy(7); await n; } });'],
  [
    'in nextTick callbacks',
    'watched(() => { const tick = (n) => { busy(7); if (n > 0) process.nextTick(tick, n - 1); }; tick(45); });',
  ],
  [
    'in the callback of a file read',
    "import { readFile } from 'node:fs'; watched(() => readFile('/dev/null', () => busy(300)));",
  ],
])('measures 300 ms of one tick: %s', (_, script) => {
  expect(worstOf(script)).toBeGreaterThan(blockLimitMs);
});

test.each([
  ['timers', 'watched(() => { for (let n = 0; n < 20; n++) setTimeout(() => short(5), 5); });'],
  ['immediates', 'watched(() => { for (let n = 0; n < 20; n++) setImmediate(() => short(5)); });'],
  [
    'callbacks of file reads',
    "import { readFile } from 'node:fs'; watched(() => { for (let n = 0; n < 20; n++) readFile('/dev/null', () => short(5)); short(20); });",
  ],
  [
    'work of other threads of the process',
    "import { pbkdf2 } from 'node:crypto'; watched(() => pbkdf2('a', 'b', 200000, 64, 'sha512', () => undefined));",
  ],
])('does not add up many short ticks that are ready at once: %s', (_, script) => {
  const worst = worstOf(script);
  expect(worst).toBeGreaterThan(0);
  expect(worst).toBeLessThan(blockLimitMs);
});
