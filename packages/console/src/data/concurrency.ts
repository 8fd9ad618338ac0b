const atOnce = 4;
const waiting: (() => void)[] = [];
let running = 0;

/** Runs a few calls at a time, in order, so that long lists stay below the rate limit. */
export async function limitConcurrency<T>(act: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await act();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}
