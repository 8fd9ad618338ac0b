import type { Skipped } from './registry.ts';

/** How far a comparison has come. */
export interface ReconciliationProgress {
  /** Which walk over a book, and the place in it; null: at its beginning. */
  readonly walk: string;
  readonly place: string | null;
  readonly found: number;
  readonly skipped: readonly Skipped[];
}
