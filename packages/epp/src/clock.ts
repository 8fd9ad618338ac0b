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

/** For pauses, paces and ages: nobody sets it, so none of them lasts for days because a clock was put right. */
export const steadyClock: WallClock = { ...systemClock, nowMs: () => performance.now() };
