/** What the workshop takes on. */
export const workerLimits = {
  threads: 2,
  /** Tasks of one reseller that wait; one of them runs at a time, so that nobody holds all threads. */
  waitingPerReseller: 3,
  waiting: 64,
  /** From the moment a task comes; it ends an idempotency lease later at the latest. */
  deadlineMs: 120_000,
  /** The same for the transaction of a change. The rest is more than a commit may take, so no change is committed after its caller got an answer. */
  transactionDeadlineMs: 100_000,
  /** A thread without work is let go, and its memory with it. */
  idleMs: 60_000,
  heapMegabytes: 1_024,
} as const;
