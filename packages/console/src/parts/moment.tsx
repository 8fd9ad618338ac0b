import { now } from '../data/clock.ts';
import { who } from '../session/who.ts';
import { language } from '../words/speak.ts';

/** The contract writes `2026-11-15 09:00:00` in UTC, everything newer RFC 3339. */
export function readMoment(text: string): Date {
  return new Date(/^\d{4}-\d\d-\d\d \d/.test(text) ? `${text.replace(' ', 'T')}Z` : text);
}

const dayMs = 86_400_000;

/** "in 12 days": beside a date, never alone. */
export function distance(to: Date, from: Date = now()): string {
  const format = new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' });
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
  return format.format(Math.round(ms / size), unit);
}

export function momentText(at: Date, withTime = false): string {
  return new Intl.DateTimeFormat(language.value, {
    dateStyle: 'medium',
    ...(withTime ? { timeStyle: 'short' } : {}),
    timeZone: who.value?.person.time_zone ?? 'UTC',
  }).format(at);
}

interface Given {
  readonly at: string | Date;
  readonly withTime?: boolean;
  /** How far it is, seen from this moment: the business clock's where there is one. */
  readonly from?: Date | undefined;
  readonly isRelative?: boolean;
  /** A date of names or money: it moves with a sandbox's clock and has the colour of its bar there. */
  readonly isBusiness?: boolean;
}

/** In the person's zone; UTC on top of it. */
export function Moment({ at, withTime, from, isRelative, isBusiness }: Given) {
  const date = typeof at === 'string' ? readMoment(at) : at;
  if (Number.isNaN(date.getTime())) return <span class="faint">–</span>;
  return (
    <time
      class={isBusiness ? 'moment business' : 'moment'}
      dateTime={date.toISOString()}
      title={`${date.toISOString().replace('.000', '')} (UTC)`}
    >
      {momentText(date, withTime)}
      {isRelative && <span class="faint"> · {distance(date, from)}</span>}
    </time>
  );
}
