import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clockFromFile, fakeClock, parseDurationMs } from '../src/clock.ts';

const dayMs = 86_400_000;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'namehold-clock-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('clockFromFile', () => {
  test('moves all clocks on one file together', () => {
    const path = join(folder, 'shared');
    const wall = fakeClock('2027-01-01T00:00:00Z');
    const [service, registry] = [clockFromFile(path, wall), clockFromFile(path, wall)];
    expect(service.now()).toEqual(wall.now());
    service.move(30 * dayMs);
    expect(registry.now().toISOString()).toBe('2027-01-31T00:00:00.000Z');
    registry.move(-dayMs);
    expect(service.now().toISOString()).toBe('2027-01-30T00:00:00.000Z');
    expect(service.offsetMs()).toBe(29 * dayMs);
    expect(registry.now()).toEqual(service.now());
  });

  test('continues with the wall clock and leaves no temporary file', () => {
    const path = join(folder, 'runs');
    const wall = fakeClock('2027-01-01T00:00:00Z');
    const clock = clockFromFile(path, wall);
    clock.move(dayMs + 0.9);
    wall.move(1_000);
    expect(clock.now().toISOString()).toBe('2027-01-02T00:00:01.000Z');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each(['', 'nonsense', '1e400', '0.5', '9'.repeat(40)])('reads a file with %j as no offset', (text) => {
    const path = join(folder, 'odd');
    writeFileSync(path, text);
    expect(clockFromFile(path).offsetMs()).toBe(0);
  });

  test('refuses a move that could not be read back and keeps the time', () => {
    const path = join(folder, 'far');
    const clock = clockFromFile(path);
    clock.move(dayMs);
    for (const by of [Number.MAX_SAFE_INTEGER, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => clock.move(by)).toThrow(RangeError);
    }
    expect(clock.offsetMs()).toBe(dayMs);
  });

  test('adds up many small moves like one large move', () => {
    const path = join(folder, 'sum');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -dayMs, max: dayMs }), { maxLength: 20 }), (moves) => {
        rmSync(path, { force: true });
        const clock = clockFromFile(path);
        for (const by of moves) clock.move(by);
        expect(clockFromFile(path).offsetMs()).toBe(moves.reduce((sum, by) => sum + by, 0));
      }),
      { seed: 7, numRuns: 50 },
    );
  });
});

describe('fakeClock', () => {
  test('changes the time only when it is moved', () => {
    const clock = fakeClock('2028-02-29T12:00:00Z');
    expect(clock.now()).toEqual(clock.now());
    clock.move(dayMs);
    expect(clock.now().toISOString()).toBe('2028-03-01T12:00:00.000Z');
  });
});

describe('parseDurationMs', () => {
  test.each([
    ['+30d', 30 * dayMs],
    ['-2h', -7_200_000],
    ['90s', 90_000],
    ['5m', 300_000],
    [' 1w ', 7 * dayMs],
    ['0s', 0],
  ])('reads %j as %d ms', (text, ms) => expect(parseDurationMs(text)).toBe(ms));

  test.each(['', 'd', '30', '30y', '1.5d', '--3d', '+ 3d', '1d2h', '1e3s', '٣d', '999999999w', '999999999d'])(
    'refuses %j',
    (text) => expect(parseDurationMs(text)).toBeUndefined(),
  );
});
