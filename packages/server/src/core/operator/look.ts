import { everyTenant } from '@namehold/base';
import type { AnyAlarm } from '../alarms/alarm.sql.ts';
import type { Difference } from '../books/difference.ts';
import { openDifferences } from '../books/mend.ts';
import { type BooksRun, lastRun, openRun } from '../books/run.sql.ts';
import { Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { type JobStanding, readStandings } from '../jobs/standing.ts';
import { type AllOperationsFilter, type AnyOperation, listAllOperations } from '../operations/list-all.sql.ts';
import type { Listed, Page } from '../page.ts';
import { type AlarmState, type AllEventsFilter, type AnyEvent, listAlarms, listAllEvents } from './look.sql.ts';

/** What the operator sees over all resellers; nobody else sees any of it. */
export function everything(house: House, actor: Actor) {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return house.db.as(everyTenant);
}

export async function lookAtOperations(
  house: House,
  actor: Actor,
  filter: AllOperationsFilter,
  page: Page,
): Promise<Listed<AnyOperation>> {
  return listAllOperations(everything(house, actor), filter, page);
}

export async function lookAtEvents(
  house: House,
  actor: Actor,
  filter: AllEventsFilter,
  page: Page,
): Promise<Listed<AnyEvent>> {
  return listAllEvents(everything(house, actor), filter, page);
}

export async function lookAtAlarms(
  house: House,
  actor: Actor,
  state: AlarmState,
  page: Page,
): Promise<Listed<AnyAlarm>> {
  return listAlarms(everything(house, actor), state, page);
}

export async function lookAtJobs(house: House, actor: Actor): Promise<JobStanding[]> {
  everything(house, actor);
  return readStandings(house);
}

export interface BooksLook {
  readonly run: BooksRun | undefined;
  /** Since when they are being compared just now. */
  readonly runningSince: Date | null;
  readonly differences: readonly { readonly key: string; readonly difference: Difference }[];
}

export async function lookAtBooks(house: House, actor: Actor): Promise<BooksLook> {
  const db = everything(house, actor);
  const [run, open] = [await lastRun(db), await openRun(db)];
  return { run, runningSince: open ?? null, differences: await openDifferences(house) };
}
