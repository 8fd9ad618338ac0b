import { setTimeout as sleep } from 'node:timers/promises';

/** A script that takes long reports the reason. */
const tellAfterMs = 30_000;

/** Repeats the check until nothing differs or the time is over; remaining differences are then reported. */
export async function untilNone(
  limitMs: number,
  look: () => Promise<string | undefined>,
  pause: () => Promise<unknown>,
): Promise<string | undefined> {
  const until = performance.now() + limitMs;
  const tellAt = performance.now() + tellAfterMs;
  let isTold = false;
  for (;;) {
    const difference = await look();
    if (difference === undefined || performance.now() > until) return difference;
    if (!isTold && performance.now() > tellAt) {
      isTold = true;
      console.log(`still waited for after ${tellAfterMs / 1_000} s: ${difference}`);
    }
    await pause();
    await sleep(500);
  }
}
