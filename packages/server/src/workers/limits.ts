/** Limits of the worker pool. */
export const workerLimits = {
  threads: 2,
  /** Waiting tasks of one reseller. Only one of them runs at a time, so that no reseller occupies all threads. */
  waitingPerReseller: 3,
  waiting: 64,
  /** Part of them for all accounts below one top account together. */
  shareOfTop: 0.75,
  /** Time since the arrival of a task; it ends before the idempotency lease. */
  deadlineMs: 120_000,
  /**
   * The same for the transaction of a change. The difference is longer than a commit, so that no change commits after its caller got an
   * error.
   */
  transactionDeadlineMs: 100_000,
  /** An idle thread is ended to free its memory. */
  idleMs: 60_000,
  heapMegabytes: 1_024,
};
