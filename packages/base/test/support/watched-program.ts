import { execFileSync } from 'node:child_process';
import { startWatchdog } from '../../src/watchdog/watchdog.ts';

/** A program with a watchdog. Its main thread is blocked in the way that its first argument names, or not at all. */
const [how, limitMs] = process.argv.slice(2);

function askAgain(): void {
  Promise.reject(new Error('refused')).catch(askAgain);
}

const ways: Record<string, () => void> = {
  microtasks: askAgain,
  loop: () => {
    for (;;);
  },
  // Runs until the test closes its standard input.
  system: () => void execFileSync('cat', { stdio: ['inherit', 'ignore', 'ignore'] }),
  nothing: () => {
    setInterval(() => process.stdout.write('alive\n'), 50);
  },
};

startWatchdog({ limitMs: Number(limitMs) });
process.on('SIGTERM', () => process.exit(0));
process.stdout.write('started\n');
// The watchdog thread needs the main thread until it runs.
setTimeout(ways[how!]!, 1_000);
