/** The order of day and month in a file, if its dates can only be read in one. */
export type DayOrder = 'day_first' | 'month_first' | null;

interface StatementDate {
  /** `2026-11-16`; `03/04/2026` if day and month are ambiguous; otherwise the text without blanks. */
  readonly date: string;
  /** `10:22:00`; null if there is none, or midnight, which many banks write for none. */
  readonly time: string | null;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const two = (value: number | string) => String(value).padStart(2, '0');
const zone = '(?:\\s*(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))*';
const withTime = new RegExp(
  `^(.*\\d)(?:[T,]|\\s)\\s*(\\d{1,2}:\\d{2}(?::\\d{2})?)(?:[.,]\\d+)?(?:\\s*([AP])\\.?M\\.?)?${zone}$`,
  'i',
);
/** An ISO day with a time zone (`2026-11-18+00:00`, `20261118Z`). */
const withZone = new RegExp(`^(\\d{4}-\\d{2}-\\d{2}|\\d{8})${zone}$`, 'i');
const compactTime = /^(\d{8})T(\d{2})(\d{2})(\d{2})?(?=\D|$)/i;
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]?\s+/i;
const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const compact = /^(\d{4})(\d{2})(\d{2})$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const named = /^(\d{1,2})[-\s./]*([a-z]{3})[a-z]*[-\s.,/]*(\d{4}|\d{2})$/i;
/** `Nov 18, 2026` */
const monthFirst = /^([a-z]{3})[a-z]*\.?\s*(\d{1,2}),?\s+(\d{4})$/i;

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
const iso = (year: string, month: number, day: number): string | undefined =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysIn(Number(year.length === 2 ? `20${year}` : year), month)
    ? `${year.length === 2 ? '20' : ''}${year}-${two(month)}-${two(day)}`
    : undefined;

/** The order of day and month in a column: one day above 12 decides; contradicting dates decide nothing. */
export function dayOrderOf(values: Iterable<string>): DayOrder {
  let [isDayFirst, isMonthFirst] = [false, false];
  for (const value of values) {
    const found = yearLast.exec(splitTime(value).day);
    if (found?.[2] === '.' || !found) continue;
    if (Number(found[1]) > 12) isDayFirst = true;
    if (Number(found[3]) > 12) isMonthFirst = true;
  }
  if (isDayFirst === isMonthFirst) return null;
  return isDayFirst ? 'day_first' : 'month_first';
}

export function readDate(text: string, order: DayOrder): StatementDate {
  const { day, time } = splitTime(text);
  return { date: readDay(day, order) ?? day.replaceAll(/\s/g, ''), time };
}

/** Undefined: not a known date format. */
export function readDay(day: string, order: DayOrder): string | undefined {
  const first = yearFirst.exec(day) ?? compact.exec(day);
  if (first) return iso(first[1]!, Number(first[2]), Number(first[3]));
  const monthName = named.exec(day);
  const month = monthName ? months.indexOf(monthName[2]!.toLowerCase()) + 1 : 0;
  if (monthName && month > 0) return iso(monthName[3]!, month, Number(monthName[1]));
  const last = yearLast.exec(day);
  if (!last) return undefined;
  const [one, other, year] = [Number(last[1]), Number(last[3]), last[4]!];
  if (last[2] === '.' || order === 'day_first' || one > 12) return iso(year, other, one);
  if (order === 'month_first' || other > 12) return iso(year, one, other);
  if (one === other) return iso(year, one, one);
  return `${two(one)}/${two(other)}/${year.length === 2 ? '20' : ''}${year}`;
}

/**
 * Whether a text has the form of a date but names no existing day, such as `2026-02-31`. A text of another form may be a bank's own
 * format.
 */
export function isImpossible(text: string, order: DayOrder): boolean {
  const { day } = splitTime(text);
  const spoken = named.exec(day);
  const isDate = spoken
    ? months.includes(spoken[2]!.toLowerCase())
    : [yearFirst, compact, yearLast].some((form) => form.test(day));
  return isDate && readDay(day, order) === undefined;
}

/** A day as spreadsheets store it, such as `45000` or `45000.43`. Its first day depends on the program. */
export const isSerial = (text: string): boolean => /^\d{5}(?:[.,]\d+)?$/.test(text);

function splitTime(text: string): { readonly day: string; readonly time: string | null } {
  const trimmed = text
    .trim()
    .replace(weekday, '')
    .replace(compactTime, (_, day, hours, minutes, seconds = '00') => `${day}T${hours}:${minutes}:${seconds}`);
  const found = withTime.exec(trimmed);
  if (!found) return { day: plainDay(withZone.exec(trimmed)?.[1] ?? trimmed), time: null };
  const time = inDay(readTime(found[2]!)!, found[3]);
  return { day: plainDay(found[1]!), time: time === '00:00:00' ? null : time };
}

const plainDay = (day: string): string => {
  const bare = day.replace(/[.,]$/, '').trim();
  const [, month, inMonth, year] = monthFirst.exec(bare) ?? [];
  return month === undefined ? bare : `${inMonth} ${month} ${year}`;
};

/** Twelve hours twice, as `AM` and `PM`. */
function inDay(time: string, half: string | undefined): string {
  const hours = Number(time.slice(0, 2));
  if (half === undefined || hours > 12) return time;
  return `${two((hours % 12) + (half.toUpperCase() === 'P' ? 12 : 0))}${time.slice(2)}`;
}

export function readTime(text: string): string | undefined {
  const found = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  return found ? `${two(found[1]!)}:${found[2]}:${found[3] ?? '00'}` : undefined;
}

export const isAmbiguous = (date: string): boolean => /^\d{2}\/\d{2}\/\d{4}$/.test(date);

/** Whether two dates can be the same day. A missing date contradicts none. */
export function isSameDay(one: string | null, other: string | null): boolean {
  if (one === null || other === null || one === other) return true;
  if (isAmbiguous(one) === isAmbiguous(other)) return false;
  const [open, known] = isAmbiguous(one) ? [one, other] : [other, one];
  return readDay(open, 'day_first') === known || readDay(open, 'month_first') === known;
}

/** The earliest day that a normalised date can be; undefined if it is none. */
export function earliestDay(date: string): string | undefined {
  const readings = [readDay(date, 'day_first'), readDay(date, 'month_first')].filter((day) => day !== undefined);
  return readings.sort()[0];
}
