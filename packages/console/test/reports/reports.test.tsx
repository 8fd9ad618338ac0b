import { describe, expect, test } from 'vitest';
import { AccountHolds, PlatformHolds } from '../../src/reports/holds.tsx';
import { messages } from '../../src/reports/messages.ts';
import { ResponseTimes } from '../../src/reports/response-times.tsx';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const spaces = (text: string) => text.replaceAll('\u00a0', ' ');

describe('money on hold', () => {
  const usual = example('HeldMoney');
  const holds = (counts: number[], amounts: string[]) => ({
    ...usual,
    currency: 'USD',
    classes: usual.classes.map((each, n) => ({ ...each, count: counts[n] ?? 0, amount: amounts[n] ?? '0.00' })),
  });

  test('is added without rounding errors', async () => {
    page.api.respond('get', '/account/series/holds', () => ({ body: holds([1, 2], ['0.10', '0.20']) }));
    await page.show(<AccountHolds />);
    expect(spaces(page.text())).toContain(messages().holdsFound('USD 0.30', 3));
  });

  test('shows no chart without orders', async () => {
    page.api.respond('get', '/account/series/holds', () => ({ body: holds([], []) }));
    await page.show(<AccountHolds />);
    expect([page.root.querySelector('svg.bars-place'), page.text().includes(messages().noHolds)]).toEqual([null, true]);
  });

  test('shows money on hold of the platform by currency, and as a table on request', async () => {
    const held = [holds([1], ['5.00']), { ...holds([2], ['9.00']), currency: 'EUR' }];
    page.api.respond('get', '/operator/series/holds', () => ({ body: { held } }));
    await page.show(<PlatformHolds />);
    const table = page.all('button', /table/i);
    expect(table).toHaveLength(2);
    await page.click(table[1]!);
    expect(page.rows().map((row) => row.map(spaces))).toEqual([[messages().ages[0], '2', 'EUR 9.00']]);
  });
});

describe('response times', () => {
  const point = (at: string, changes: object = {}) => ({
    at,
    answered: 1,
    failed: 0,
    unknown: 0,
    p50_ms: 20,
    p95_ms: 40,
    ...changes,
  });
  const open = async (
    step: 'hour' | 'day',
    from: string,
    to: string,
    points: object[],
    at = '/app/operator/registries',
  ) => {
    page.api.respond('get', '/operator/series/registries', ({ query }) => ({
      body: {
        from,
        to,
        step,
        lines: [{ registry_id: query.registry_id ?? 'sandbox', command: query.registry_id ? 'create' : null, points }],
      },
    }));
    await page.show(() => <ResponseTimes registries={['sandbox']} />, { at });
    for (const button of page.all('button', /table/i)) await page.click(button);
  };

  test('shows response times by UTC days in each time zone', async () => {
    signIn({ person: { time_zone: 'America/New_York' } });
    await open('day', '2026-11-14T00:00:00Z', '2026-11-15T09:00:00Z', [
      point('2026-11-14T00:00:00Z'),
      point('2026-11-15T00:00:00Z'),
    ]);
    expect(page.rows().map(([day]) => day)).toEqual(['Nov 14, 2026', 'Nov 15, 2026']);
  });

  test('leave out hours without answers, and count failed and unknown commands', async () => {
    await open('hour', '2026-11-15T06:30:00Z', '2026-11-15T09:30:00Z', [
      point('2026-11-15T06:00:00Z', { failed: 2 }),
      point('2026-11-15T09:00:00Z', { unknown: 1, p95_ms: 1_250 }),
    ]);
    const [times, faults] = page.all('table').map((table) => page.rows(table));
    expect(times!.map((row) => spaces(row[2]!))).toEqual(['40 ms', '1.25 sec']);
    expect(faults!.map((row) => row.slice(1))).toEqual([
      ['2', '0'],
      ['0', '1'],
    ]);
    expect(page.text()).toContain(messages().faults(2, 1));
  });

  test('take the span from the address, and ignore an unknown one', async () => {
    await open('hour', '2026-11-15T06:30:00Z', '2026-11-15T09:30:00Z', [], '/app/operator/registries?hours=168');
    await page.leave();
    await open('hour', '2026-11-15T06:30:00Z', '2026-11-15T09:30:00Z', [], '/app/operator/registries?hours=5');
    expect([...new Set(page.api.requests.map(({ query }) => query.hours))]).toEqual(['168', '24']);
    expect(page.text()).toContain(messages().noTimes(messages().spans[24]!));
  });
});
