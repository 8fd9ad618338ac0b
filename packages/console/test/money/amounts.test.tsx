import { seededRandom } from '@namehold/base';
import { afterEach, describe, expect, test } from 'vitest';
import { amountIn, typedAmount } from '../../src/components/amount.ts';
import { dayText, Moment, momentText, readMoment } from '../../src/components/moment.tsx';
import { moneyText, sumOf } from '../../src/components/money.tsx';
import { locale } from '../../src/messages/locale.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
afterEach(() => {
  locale.value = 'en';
});
const spaces = (text: string) => text.replaceAll('\u00a0', ' ');

describe('typedAmount', () => {
  test.each(['en', 'id'] as const)('reads 400 amounts in %s as the same amounts', (language) => {
    speak(language);
    const random = seededRandom(11);
    for (let n = 0; n < 400; n += 1) {
      const places = Math.floor(random() * 4);
      const whole = Math.floor(random() * 10 ** Math.floor(random() * 8));
      const part = String(Math.floor(random() * 10 ** places)).padStart(places, '0');
      const amount = `${random() < 0.2 ? '-' : ''}${whole}${places === 0 ? '' : `.${part}`}`;
      expect(amountIn(typedAmount(amount))).toBe(amount);
    }
  });
});

describe('amountIn', () => {
  test.each([
    ['id', '0.500', '0.500'],
    ['id', '-1.234,5', '-1234.5'],
    ['id', '-5', '-5'],
    ['en', '0,500', '0,500'],
    ['en', '-1,234.5', '-1234.5'],
    ['en', '--5', '--5'],
    ['en', '', ''],
  ] as const)('in %s reads %s as %s', (language, typed, amount) => {
    speak(language);
    expect(amountIn(typed)).toBe(amount);
  });
});

describe('moneyText', () => {
  test.each([
    ['en', '1234.5', 'USD', 'USD 1,234.50'],
    ['id', '1234.5', 'USD', 'USD 1.234,50'],
    ['en', '-0.005', 'USD', '-USD 0.005'],
    ['en', '250000.00', 'JPY', 'JPY 250,000'],
    ['en', '1.250', 'KWD', 'KWD 1.250'],
    ['en', '99999999999999.99', 'USD', 'USD 99,999,999,999,999.99'],
  ] as const)('in %s formats %s %s exactly', (language, amount, currency, text) => {
    speak(language);
    expect(spaces(moneyText(amount, currency))).toBe(text);
  });

  test('shows decimals that a currency usually lacks only if they are not zero', () => {
    expect(spaces(moneyText('10.50', 'JPY'))).toBe('JPY 10.5');
  });
});

test.each(['', 'x', '1.2345', '1234567890123', '1e3', '-1'])('sumOf has no sum for "%s"', (typed) => {
  expect(sumOf(typed, 'USD')).toBeUndefined();
});

describe('times', () => {
  test.each(['America/New_York', 'UTC', 'Asia/Jakarta', 'Pacific/Kiritimati'])(
    'a day is the same day in %s',
    async (zone) => {
      signIn({ person: { time_zone: zone } });
      await page.show(<Moment at="2026-12-01" />);
      expect(page.text()).toBe('Dec 1, 2026');
      expect(dayText(new Date('2026-12-01'))).toBe('Dec 1, 2026');
    },
  );

  test.each([
    ['America/New_York', 'Nov 30, 2026'],
    ['Asia/Jakarta', 'Dec 1, 2026'],
  ])('a time is shown in the time zone %s', (zone, text) => {
    signIn({ person: { time_zone: zone } });
    expect(momentText(readMoment('2026-12-01 02:00:00'))).toBe(text);
    expect(momentText(readMoment('2026-12-01T02:00:00Z'))).toBe(text);
  });

  test.each(['', 'soon', '2026-13-45'])('an unreadable time "%s" is a dash', async (text) => {
    await page.show(<Moment at={text} withTime isRelative />);
    expect(page.text()).toBe('–');
  });
});
