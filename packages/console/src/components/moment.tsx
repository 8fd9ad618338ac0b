import { now } from '../data/clock.ts';
import { locale } from '../messages/locale.ts';
import { currentSession } from '../session/current-session.ts';

/** Contract fields have `2026-11-15 09:00:00` in UTC; newer fields have RFC 3339. */
export function readMoment(text: string): Date {
  return new Date(/^\d{4}-\d\d-\d\d \d/.test(text) ? `${text.replace(' ', 'T')}Z` : text);
}

const dayMs = 86_400_000;

/** A day without a time, such as the due date of an invoice. It is the same day in each time zone. */
const isDay = (at: string | Date) => typeof at === 'string' && /^\d{4}-\d\d-\d\d$/.test(at);

/** A relative time such as "in 12 days". */
function relativeTime(to: Date, from: Date = now()): string {
  const ms = to.getTime() - from.getTime();
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 365 * dayMs],
    ['month', 30 * dayMs],
    ['day', dayMs],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ];
  const [unit, size] = steps.find(([, each]) => Math.abs(ms) >= each * (each === 365 * dayMs ? 2 : 1)) ?? [
    'minute',
    60_000,
  ];
  // "Next month" is ambiguous for a date in 31 days; "tomorrow" is not.
  const numeric = unit === 'month' || unit === 'year' ? 'always' : 'auto';
  return new Intl.RelativeTimeFormat(locale.value, { numeric }).format(Math.round(ms / size), unit);
}

export function momentText(
  at: Date,
  withTime = false,
  timeZone = currentSession.value?.person.time_zone ?? 'UTC',
): string {
  return new Intl.DateTimeFormat(locale.value, {
    dateStyle: 'medium',
    ...(withTime ? { timeStyle: 'short' } : {}),
    timeZone,
  }).format(at);
}

export const dayText = (at: Date): string => momentText(at, false, 'UTC');

interface Props {
  readonly at: string | Date;
  readonly withTime?: boolean;
  /** The reference time; defaults to the business clock. */
  readonly from?: Date | undefined;
  readonly isRelative?: boolean;
  /** A business date. In a sandbox, it follows the sandbox clock and is underlined in the colour of the sandbox bar. */
  readonly isBusiness?: boolean;
}

/** A time in the user's time zone, with UTC in the tooltip. */
export function Moment({ at, withTime, from, isRelative, isBusiness }: Props) {
  const date = typeof at === 'string' ? readMoment(at) : at;
  if (Number.isNaN(date.getTime())) return <span class="faint">–</span>;
  return (
    <time
      class={isBusiness ? 'moment business' : 'moment'}
      dateTime={date.toISOString()}
      title={`${date.toISOString().replace('.000', '')} (UTC)`}
    >
      {isDay(at) ? dayText(date) : momentText(date, withTime)}
      {isRelative && <span class="faint"> · {relativeTime(date, from)}</span>}
    </time>
  );
}
