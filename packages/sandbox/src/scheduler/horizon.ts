/** The earliest moment at which time alone changes something, kept in memory so that most commands need not ask. */
export interface Horizon {
  readonly earliestMs: number;
  /** After a commit that set a date. */
  note(dueAt: Date): void;
  /** What the database says. */
  reset(dueAt: Date | null): void;
}

export function openHorizon(): Horizon {
  let earliestMs = Number.NEGATIVE_INFINITY;
  return {
    get earliestMs() {
      return earliestMs;
    },
    note(dueAt) {
      earliestMs = Math.min(earliestMs, dueAt.getTime());
    },
    reset(dueAt) {
      earliestMs = dueAt === null ? Number.POSITIVE_INFINITY : dueAt.getTime();
    },
  };
}
