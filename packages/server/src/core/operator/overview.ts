import { everything } from '../accounts/everything.ts';
import type { AnyAlarm } from '../alarms/alarm.sql.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { type JobStatus, readJobStatuses } from '../jobs/job-status.ts';
import { type AllOperationsFilter, type AnyOperation, listAllOperations } from '../operations/list-all.sql.ts';
import type { Listed, Page } from '../page.ts';
import { type AlarmState, type AllEventsFilter, type AnyEvent, listAlarms, listAllEvents } from './overview.sql.ts';

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
