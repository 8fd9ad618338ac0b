import { allTenants } from '@namehold/base';
import type { AnyAlarm } from '../alarms/alarm.sql.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { type JobStatus, readJobStatuses } from '../jobs/job-status.ts';
import { type AllOperationsFilter, type AnyOperation, listAllOperations } from '../operations/list-all.sql.ts';
import type { Listed, Page } from '../page.ts';
import type { Difference } from '../reconciliation/difference.ts';
import { openDifferences } from '../reconciliation/repair.ts';
import { lastRun, openRun, type ReconciliationRun } from '../reconciliation/run.sql.ts';
import { type AlarmState, type AllEventsFilter, type AnyEvent, listAlarms, listAllEvents } from './overview.sql.ts';

/** Data over all resellers, for the operator only. */
export function everything(ctx: AppContext, actor: Actor) {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return ctx.db.as(allTenants);
}

export async function readAllOperations(
  ctx: AppContext,
  actor: Actor,
  filter: AllOperationsFilter,
  page: Page,
): Promise<Listed<AnyOperation>> {
  return listAllOperations(everything(ctx, actor), filter, page);
}

export async function readAllEvents(
  ctx: AppContext,
  actor: Actor,
  filter: AllEventsFilter,
  page: Page,
): Promise<Listed<AnyEvent>> {
  return listAllEvents(everything(ctx, actor), filter, page);
}

export async function readAlarms(
  ctx: AppContext,
  actor: Actor,
  state: AlarmState,
  page: Page,
): Promise<Listed<AnyAlarm>> {
  return listAlarms(everything(ctx, actor), state, page);
}

export async function readJobs(ctx: AppContext, actor: Actor): Promise<JobStatus[]> {
  everything(ctx, actor);
  return readJobStatuses(ctx);
}

export interface ReconciliationStatus {
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
