import { randomUUID } from 'node:crypto';
import { allTenants } from '@namehold/postgres';
import { type AlarmContext, clearAlarm, openAlarms, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import {
  type Difference,
  differenceIn,
  differenceKey,
  type ReconciliationSource,
  reconciliationSources,
  sentenceOf,
} from './difference.ts';
import { type ReconciliationReport, reconcile, reconciliationLimits } from './reconcile.ts';
import { beginRun, clearUnseen, endRun, keepRun, leaveRun, noteReached, type OpenRun, takeUpRun } from './run.sql.ts';

/** A comparison that stopped early. It proves nothing about what it had not reached, and can be continued. */
export class Unfinished extends Error {
  override name = 'Unfinished';
}

const alarmKey = 'books:unfinished';
const continueHint = 'The daily job continues it; to continue now, run namehold verify --continue';
const noLog = { info() {}, warn() {}, error() {} };

/**
 * Compares, and reports each difference as an alarm with its repair. Alarms whose difference is gone are cleared. The position is stored
 * after each slice; with `goesOn`, an interrupted run continues there, and what it compared is not compared again.
 */
export async function verifyAndReport(
  ctx: AppContext,
  chosen: readonly ReconciliationSource[] = reconciliationSources,
  { goesOn = false, isPrinted = false }: { readonly goesOn?: boolean; readonly isPrinted?: boolean } = {},
): Promise<ReconciliationReport> {
  // A caller that prints the report shows every difference already, so the log lines are left out.
  const alarms = isPrinted ? { db: ctx.db, wall: ctx.wall, log: noLog } : ctx;
  const wanted = reconciliationSources.filter((each) => chosen.includes(each));
  const autocommit = ctx.db.autocommit(allTenants);
  const worker = randomUUID();
  const { leaseMs } = ctx.config;
  const left = goesOn ? await takeUpRun(autocommit, worker, wanted, leaseMs) : undefined;
  const run = left ?? (await beginRun(autocommit, worker, wanted, leaseMs, ctx.wall.now()));
  if (left) await alarmUnfinished(alarms, left, 'its process ended; another process continues it now');
  // A slice may take long, so a heartbeat renews the lease. A process that lost the run to another ends at its next slice.
  const heartbeat = setInterval(
    () => void keepRun(autocommit, run.id, worker, leaseMs).catch(() => {}),
    leaseMs / 4,
  ).unref();
  let last = run.place;
  try {
    const before = left ? await differencesSince(ctx, run.started_at, wanted) : [];
    const report = await reconcile(ctx, wanted, {
      from: run.place,
      async reached(kept, place) {
        for (const each of kept) await raiseDifferenceAlarm(alarms, each);
        if (!(await noteReached(autocommit, run.id, worker, place, leaseMs)))
          throw new Error('another process has taken it over');
        last = place;
      },
    });
    const whole = { ...report, differences: [...before, ...report.differences] };
    await finishReport(ctx, alarms, run, whole);
    return whole;
  } catch (error) {
    const why = (error as Error).message;
    const unfinishedRun = { ...run, place: last };
    // The database itself may be unavailable; then the next process finds the run and reports it.
    await leaveRun(autocommit, run.id, worker).catch(() => undefined);
    await alarmUnfinished(alarms, unfinishedRun, `${why}. ${continueHint}`).catch(() => undefined);
    throw new Unfinished(`${unfinishedSentence(unfinishedRun)}: ${why}. ${continueHint}`, {
      cause: error,
    });
  } finally {
    clearInterval(heartbeat);
  }
}

async function finishReport(
  ctx: AppContext,
  alarms: AlarmContext,
  run: OpenRun,
  report: ReconciliationReport,
): Promise<void> {
  const autocommit = ctx.db.autocommit(allTenants);
  await recordDifferenceCount(alarms, report);
  // A source that was not read to its end, or a list that was cut off, proves nothing about earlier differences, so their alarms stay.
  const isWhole = report.found <= reconciliationLimits.differencesKept;
  const cleared = report.compared.filter((source) => isWhole && !(source === 'registry' && report.skipped.length > 0));
  await clearUnseen(
    autocommit,
    cleared.map((source) => `books:${source}:`),
    run.started_at,
    ctx.wall.now(),
  );
  await endRun(autocommit, run.id, ctx.wall.now(), report);
  if (report.compared.length === reconciliationSources.length) await clearAlarm(ctx, alarmKey);
}

/** Differences found by the process that ran the first part. */
async function differencesSince(
  ctx: AppContext,
  since: Date,
  wanted: readonly ReconciliationSource[],
): Promise<Difference[]> {
  const alarms = (await openAlarms(ctx)).filter(({ seen_at }) => seen_at >= since);
  return alarms.flatMap(({ key, facts }) => {
    const found = wanted.some((source) => key.startsWith(`books:${source}:`)) ? differenceIn(facts) : undefined;
    return found ? [found] : [];
  });
}

const unfinishedSentence = ({ started_at, place }: OpenRun): string =>
  `the reconciliation that began at ${started_at.toISOString()} stopped early, ${
    place ? `in ${place.walk} with ${place.found} differences so far` : 'before its first slice'
  }`;

function alarmUnfinished(ctx: AlarmContext, run: OpenRun, why: string): Promise<void> {
  return raiseAlarm(ctx, {
    key: alarmKey,
    severity: 'warning',
    sentence: `${unfinishedSentence(run)}: ${why}`,
    facts: { run: run.id, walk: run.place?.walk ?? null, tries: run.tries },
  });
}

export function raiseDifferenceAlarm(ctx: AlarmContext, difference: Difference): Promise<void> {
  return raiseAlarm(ctx, {
    key: differenceKey(difference),
    severity: 'critical',
    sentence: `${sentenceOf(difference)}. Repair: ${difference.repair.message}`,
    facts: difference,
  });
}

/** Alarm for differences beyond those reported one by one. */
async function recordDifferenceCount(ctx: AlarmContext, report: ReconciliationReport): Promise<void> {
  if (report.found <= reconciliationLimits.differencesKept) return clearAlarm(ctx, 'books:more');
  await raiseAlarm(ctx, {
    key: 'books:more',
    severity: 'critical',
    sentence: `reconciliation found ${report.found} differences; ${report.differences.length} of them have their own alarms. Repair those, then run namehold verify again`,
    facts: { found: report.found },
  });
}
