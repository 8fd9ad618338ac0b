import { randomUUID } from 'node:crypto';
import { everyTenant } from '@namehold/base';
import { type AlarmHouse, clearAlarm, openAlarms, raiseAlarm } from '../alarms/alarm.ts';
import type { House } from '../house.ts';
import { type Book, books, type Difference, differenceKey, sentenceOf } from './difference.ts';
import { beginRun, clearUnseen, endRun, keepRun, leaveRun, noteReached, type OpenRun, takeUpRun } from './run.sql.ts';
import { type BooksReport, booksLimits, verifyBooks } from './verify.ts';

/** A comparison that did not come to its end. It proves nothing about what it had not reached, and can be gone on with. */
export class Unfinished extends Error {
  override name = 'Unfinished';
}

const alarmKey = 'books:unfinished';
const silentLog = { info() {}, warn() {}, error() {} };

/**
 * Compares and tells: each difference is an alarm with its mend, and an alarm whose difference is gone is cleared. After each slice it is written down how
 * far it came; who `goesOn` takes a run up from there that another was at. What it had compared is not compared again.
 */
export async function verifyAndTell(
  house: House,
  chosen: readonly Book[] = books,
  { goesOn = false, isPrinted = false }: { readonly goesOn?: boolean; readonly isPrinted?: boolean } = {},
): Promise<BooksReport> {
  // Who prints the report has every difference in it; their log lines would be the same once more.
  const alarms = isPrinted ? { db: house.db, wall: house.wall, log: silentLog } : house;
  const wanted = books.filter((each) => chosen.includes(each));
  const alone = house.db.alone(everyTenant);
  const worker = randomUUID();
  const { leaseMs } = house.config;
  const left = goesOn ? await takeUpRun(alone, worker, wanted, leaseMs) : undefined;
  const run = left ?? (await beginRun(alone, worker, wanted, leaseMs, house.wall.now()));
  if (left) await tellUnfinished(alarms, left, 'its process ended; it is gone on with from there');
  // A slice may take long: who is at it shows it by a heartbeat, and who lost the run to another ends at the next slice.
  const heartbeat = setInterval(
    () => void keepRun(alone, run.id, worker, leaseMs).catch(() => {}),
    leaseMs / 4,
  ).unref();
  let last = run.place;
  try {
    const before = left ? await differencesSince(house, run.started_at, wanted) : [];
    const report = await verifyBooks(house, wanted, {
      from: run.place,
      async reached(kept, place) {
        for (const each of kept) await tell(alarms, each);
        if (!(await noteReached(alone, run.id, worker, place, leaseMs)))
          throw new Error('another process has taken it up');
        last = place;
      },
    });
    const whole = { ...report, differences: [...before, ...report.differences] };
    await endTelling(house, alarms, run, whole);
    return whole;
  } catch (error) {
    const why = (error as Error).message;
    const told = { ...run, place: last };
    // The database itself may be what is away; then the next one to look finds the run and tells.
    await leaveRun(alone, run.id, worker).catch(() => undefined);
    await tellUnfinished(alarms, told, why).catch(() => undefined);
    throw new Unfinished(`${unfinishedSentence(told)}: ${why}. namehold verify --continue goes on from there`, {
      cause: error,
    });
  } finally {
    clearInterval(heartbeat);
  }
}

async function endTelling(house: House, alarms: AlarmHouse, run: OpenRun, report: BooksReport): Promise<void> {
  const alone = house.db.alone(everyTenant);
  await tellCount(alarms, report);
  // What could not be read to its end proves nothing about what was found in it before; nor does a list that was cut off.
  const isWhole = report.found <= booksLimits.differencesKept;
  const cleared = report.compared.filter((book) => isWhole && !(book === 'registry' && report.skipped.length > 0));
  await clearUnseen(
    alone,
    cleared.map((book) => `books:${book}:`),
    run.started_at,
    house.wall.now(),
  );
  await endRun(alone, run.id, house.wall.now(), report);
  if (report.compared.length === books.length) await clearAlarm(house, alarmKey);
}

/** What the part of a run that another process did has found. */
async function differencesSince(house: House, since: Date, wanted: readonly Book[]): Promise<Difference[]> {
  const alarms = (await openAlarms(house)).filter(({ seen_at }) => seen_at >= since);
  return alarms.flatMap(({ key, facts }) =>
    wanted.some((book) => key.startsWith(`books:${book}:`)) && 'mend' in facts ? [facts as unknown as Difference] : [],
  );
}

const unfinishedSentence = ({ started_at, place }: OpenRun): string =>
  `the comparison of the books that began at ${started_at.toISOString()} did not come to its end, ${
    place ? `it stands in ${place.walk} with ${place.found} differences so far` : 'nothing of it is done'
  }`;

function tellUnfinished(house: AlarmHouse, run: OpenRun, why: string): Promise<void> {
  return raiseAlarm(house, {
    key: alarmKey,
    severity: 'warning',
    sentence: `${unfinishedSentence(run)}: ${why}`,
    facts: { run: run.id, walk: run.place?.walk ?? null, tries: run.tries },
  });
}

export function tell(house: AlarmHouse, difference: Difference): Promise<void> {
  return raiseAlarm(house, {
    key: differenceKey(difference),
    severity: 'critical',
    sentence: `${sentenceOf(difference)}. Mend: ${difference.mend.words}`,
    facts: difference,
  });
}

/** Beyond what is told one by one. */
async function tellCount(house: AlarmHouse, report: BooksReport): Promise<void> {
  if (report.found <= booksLimits.differencesKept) return clearAlarm(house, 'books:more');
  await raiseAlarm(house, {
    key: 'books:more',
    severity: 'critical',
    sentence: `the books differ in ${report.found} places; ${report.differences.length} of them are alarms of their own`,
    facts: { found: report.found },
  });
}
