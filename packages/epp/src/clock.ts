/** The wall clock and its timers, injected so that tests can control time. */
export type WallClock = {
  nowMs(): number;
  /** Calls `then` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, then: () => void): () => void;
};

export const systemClock: WallClock = {
  nowMs: () => Date.now(),
  after(delayMs, then) {
    const timer = setTimeout(then, delayMs);
    return () => clearTimeout(timer);
  },
};

/** A monotonic clock for pauses, rate limits and ages: a corrected system clock does not affect it. */
export const steadyClock: WallClock = { ...systemClock, nowMs: () => performance.now() };
