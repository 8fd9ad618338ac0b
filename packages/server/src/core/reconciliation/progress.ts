import type { Skipped } from './registry.ts';

/** The position of a comparison. */
export interface ReconciliationProgress {
  /** The walk over a source, and the position in it; null: at its beginning. */
  readonly walk: string;
  readonly place: string | null;
  readonly found: number;
  readonly skipped: readonly Skipped[];
}
