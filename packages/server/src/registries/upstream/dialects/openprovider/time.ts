import { textOf } from '../../fields.ts';

const localTime = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2}))?$/;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const created = new Intl.DateTimeFormat('en-GB', { timeZone, ...parts, second: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, created);
  return created;
}

/** The time on the clocks of the zone, as if it were UTC. */
function clockTime(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second);
}

/** `YYYY-MM-DD HH:MM:SS` in the time zone of Openprovider. Null also for `0000-00-00 00:00:00`. */
export function localTimeOf(value: unknown, timeZone: string): Date | null {
  const found = localTime.exec(textOf(value) ?? '');
  if (!found) return null;
  const [year, month, day, hour = 0, minute = 0, second = 0] = found.slice(1).map((part) => Number(part ?? 0));
  if (year! < 1970 || month === 0 || day === 0) return null;
  const clock = Date.UTC(year!, month! - 1, day, hour, minute, second);
  if (new Date(clock).getUTCDate() !== day) return null;
  // The offset may change between the first guess and the time itself.
  const guess = clock - (clockTime(clock, timeZone) - clock);
  return new Date(clock - (clockTime(guess, timeZone) - guess));
}

/** `YYYY-MM-DD` in the time zone of Openprovider. */
export const localDateOf = (at: Date, timeZone: string): string =>
  new Date(clockTime(at.getTime(), timeZone)).toISOString().slice(0, 10);
