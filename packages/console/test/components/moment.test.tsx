import { describe, expect, test } from 'vitest';
import { Moment, momentText, readMoment } from '../../src/components/moment.tsx';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();

describe('readMoment', () => {
  test.each([
    ['2026-11-15 09:00:00', '2026-11-15T09:00:00.000Z'],
    ['2026-11-15T09:00:00Z', '2026-11-15T09:00:00.000Z'],
    ['2026-11-15T09:00:00+07:00', '2026-11-15T02:00:00.000Z'],
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
  ])('reads %s in UTC, whatever the time zone of the computer', (text, iso) => {
    expect(readMoment(text).toISOString()).toBe(iso);
  });
});

describe('a moment', () => {
  const last = '2026-12-31T20:30:00Z';

  test.each([
    ['UTC', /31.*2026/],
    ['Asia/Jakarta', /1.*2027/],
    ['Pacific/Honolulu', /31.*2026/],
  ])('is the day in the time zone of the user (%s)', (time_zone, day) => {
    signIn({ person: { time_zone } });
    expect(momentText(new Date(last))).toMatch(day);
  });

  test.each(['en', 'id'] as const)(
    'keeps the exact time in UTC for machines and in the tooltip (%s)',
    async (language) => {
      speak(language);
      signIn({ person: { time_zone: 'Asia/Jakarta' } });
      await page.show(<Moment at={last} withTime />);
      const time = page.root.querySelector('time')!;
      expect(time.dateTime).toBe('2026-12-31T20:30:00.000Z');
      expect(time.title).toContain('2026-12-31T20:30:00Z');
      expect(time.textContent).toMatch(/3[:.]30/);
    },
  );

  test.each([
    ['2027-03-11T09:00:00Z', 10, 'day'],
    ['2027-02-19T09:00:00Z', -10, 'day'],
    ['2027-03-01T12:00:00Z', 3, 'hour'],
    ['2027-03-01T08:59:50Z', 0, 'minute'],
    ['2028-02-01T09:00:00Z', 11, 'month'],
    ['2029-04-01T09:00:00Z', 2, 'year'],
  ] as const)('%s is relative to the given time', async (at, value, unit) => {
    await page.show(<Moment at={at} from={new Date('2027-03-01T09:00:00Z')} isRelative />);
    const expected = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(value, unit);
    expect(page.text()).toContain(expected);
  });

  test.each(['', 'never', '2026-13-45 09:00:00'])('shows a dash for the unreadable text %o', async (at) => {
    await page.show(<Moment at={at} />);
    expect(page.text()).toBe('–');
  });
});
