import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until nothing differs or the time is over; what differs then is told. */
export async function untilNone(
  limitMs: number,
  look: () => Promise<string | undefined>,
  pause: () => Promise<unknown>,
): Promise<string | undefined> {
  const until = performance.now() + limitMs;
  for (;;) {
    const difference = await look();
    if (difference === undefined || performance.now() > until) return difference;
    await pause();
    await sleep(500);
  }
}
