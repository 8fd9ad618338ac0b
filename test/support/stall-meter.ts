import { createHook } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service process by `node --import`: the most processor time that its main thread itself used in one turn. Processor
 * time, not time on the wall: a busy machine takes the processor away and cannot fail a test. A turn is one callback of the event loop
 * with all ticks and promises that follow from it. On a busy machine many callbacks are ready at once; they are as many turns, since
 * none of them keeps the others waiting for longer than itself.
 */
const file = process.env.STALL_FILE;

if (isMainThread && file) {
  const ticks = new Set<number>();
  let last = process.threadCpuUsage();
  let worst = 0;
  const note = () => writeFileSync(file, String(worst));
  const nextTurn = () => {
    const { user, system } = process.threadCpuUsage(last);
    const usedMs = (user + system) / 1_000;
    if (usedMs > worst) {
      worst = usedMs;
      note();
    }
    last = process.threadCpuUsage();
  };
  // A tick belongs to the turn that it follows from. Promises are not followed at all: they are a part of their turn, and it would be slow.
  createHook({
    init: (id, type) => void (type === 'TickObject' && ticks.add(id)),
    before: (id) => void (ticks.delete(id) || nextTurn()),
    trackPromises: false,
  }).enable();
  // A turn that nothing follows ends as well.
  setInterval(() => undefined, 20).unref();
  // The start is over, the test begins.
  process.on('SIGUSR2', () => {
    worst = 0;
    last = process.threadCpuUsage();
    note();
  });
}
