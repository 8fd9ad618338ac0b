const atOnce = 4;
const waiting: (() => void)[] = [];
let running = 0;

/** A few at a time, in the order in which they came: a long list does not spend the account's budget of calls in a moment. */
export async function inTurn<T>(act: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await act();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}
