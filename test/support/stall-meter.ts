import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service process by `node --import`: the most processor time that its main thread itself used between two turns of
 * the event loop. Processor time, not time on the wall: a busy machine takes the processor away and cannot fail a test.
 * A timer that is due fires in the next turn, so what lies between two of them is one turn and at most `everyMs` of others.
 */
const everyMs = 2;
const file = process.env.STALL_FILE;

if (isMainThread && file) {
  let last = process.threadCpuUsage();
  let worst = 0;
  const note = () => writeFileSync(file, String(worst));
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    const usedMs = (user + system) / 1_000;
    if (usedMs > worst) {
      worst = usedMs;
      note();
    }
    last = process.threadCpuUsage();
  }, everyMs).unref();
  // The start is over, the test begins.
  process.on('SIGUSR2', () => {
    worst = 0;
    last = process.threadCpuUsage();
    note();
  });
}
