import { everyTenant } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { House } from '../house.ts';
import { type Book, type Difference, differenceKey, sentenceOf } from './difference.ts';
import { beginRun, clearUnseen, endRun } from './run.sql.ts';
import { type BooksReport, verifyBooks } from './verify.ts';

/** Compares and tells: each difference is an alarm with its mend, and an alarm whose difference is gone is cleared. */
export async function verifyAndTell(house: House, wanted?: readonly Book[]): Promise<BooksReport> {
  const alone = house.db.alone(everyTenant);
  const startedAt = house.wall.now();
  const run = await beginRun(alone, startedAt);
  const report = await verifyBooks(house, wanted);
  for (const difference of report.differences) await tell(house, difference);
  await tellCount(house, report);
  // What could not be read to its end proves nothing about what was found in it before; nor does a list that was cut off.
  const isWhole = report.found === report.differences.length;
  const cleared = report.compared.filter((book) => isWhole && !(book === 'registry' && report.skipped.length > 0));
  await clearUnseen(
    alone,
    cleared.map((book) => `books:${book}:`),
    startedAt,
    house.wall.now(),
  );
  await endRun(alone, run, house.wall.now(), report);
  return report;
}

export function tell(house: House, difference: Difference): Promise<void> {
  return raiseAlarm(house, {
    key: differenceKey(difference),
    severity: 'critical',
    sentence: `${sentenceOf(difference)}. Mend: ${difference.mend.words}`,
    facts: difference,
  });
}

/** Beyond what is told one by one. */
async function tellCount(house: House, report: BooksReport): Promise<void> {
  const untold = report.found - report.differences.length;
  if (untold === 0) return clearAlarm(house, 'books:more');
  await raiseAlarm(house, {
    key: 'books:more',
    severity: 'critical',
    sentence: `the books differ in ${report.found} places; ${report.differences.length} of them are alarms of their own`,
    facts: { found: report.found },
  });
}
