/** The wall clock and its timers, handed in so that tests can own time. */
export type WallClock = {
  nowMs(): number;
  /** Calls `then` once after `delayMs`; the returned function calls it off. */
  after(delayMs: number, then: () => void): () => void;
};

export const systemClock: WallClock = {
  nowMs: () => Date.now(),
  after(delayMs, then) {
    const timer = setTimeout(then, delayMs);
    return () => clearTimeout(timer);
  },
};
