import { setTimeout as sleep } from 'node:timers/promises';

/** A script that takes long reports the reason. */
const reportAfterMs = 30_000;

/** Repeats the check until nothing differs or the time is over; remaining differences are then reported. */
export async function untilNone(
  limitMs: number,
  look: () => Promise<string | undefined>,
  pause: () => Promise<unknown>,
): Promise<string | undefined> {
  const until = performance.now() + limitMs;
  const reportAt = performance.now() + reportAfterMs;
  let isReported = false;
  for (;;) {
    const difference = await look();
    if (difference === undefined || performance.now() > until) return difference;
    if (!isReported && performance.now() > reportAt) {
      isReported = true;
      console.log(`still waited for after ${reportAfterMs / 1_000} s: ${difference}`);
    }
    await pause();
    await sleep(500);
  }
}
