import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { startLoopMeter } from './loop-meter.ts';

/** Loaded into a service process by `node --import`: writes the longest tick of its main thread to a file. */
const file = process.env.STALL_FILE;

if (isMainThread && file) {
  const note = (worstMs: number) => writeFileSync(file, String(worstMs));
  const meter = startLoopMeter(note);
  // The start is over and the test begins.
  process.on('SIGUSR2', () => {
    meter.reset();
    note(0);
  });
}
