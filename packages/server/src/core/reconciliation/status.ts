import { everything } from '../accounts/everything.ts';
import type { Actor, AppContext } from '../app-context.ts';
import type { Difference } from './difference.ts';
import { openDifferences } from './repair.ts';
import { lastRun, openRun, type ReconciliationRun } from './run.sql.ts';

interface ReconciliationStatus {
  readonly run: ReconciliationRun | undefined;
  /** Start of the reconciliation that is in progress. */
  readonly runningSince: Date | null;
  readonly differences: readonly { readonly key: string; readonly difference: Difference }[];
}

export async function readReconciliation(ctx: AppContext, actor: Actor): Promise<ReconciliationStatus> {
  const db = everything(ctx, actor);
  const [run, open] = [await lastRun(db), await openRun(db)];
  return { run, runningSince: open ?? null, differences: await openDifferences(ctx) };
}
