/** The earliest instant at which time alone changes something. Kept in memory, so that most commands need no query. */
export interface Horizon {
  readonly earliestMs: number;
  /** After a commit that set a date. */
  note(dueAt: Date): void;
  /** Takes the value of the database. */
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
