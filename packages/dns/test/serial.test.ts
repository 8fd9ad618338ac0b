import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToSerial, compareSerials, nextSerial, serialIsNewer, serialOnWire } from '../src/index.ts';

const serial = fc.integer({ min: 0, max: 0xffff_ffff });

describe('serials', () => {
  it('are compared by RFC 1982', () => {
    expect(compareSerials(1, 2)).toBe(-1);
    expect(compareSerials(0xffff_ffff, 0)).toBe(-1);
    expect(compareSerials(0, 0xffff_ffff)).toBe(1);
    expect(compareSerials(5, 5)).toBe(0);
    expect(compareSerials(0, 0x8000_0000)).toBeUndefined();
  });

  it('are the present time, or the previous serial plus one if that is newer', () => {
    expect(nextSerial(1, 1_700_000_000)).toBe(1_700_000_000);
    expect(nextSerial(1_700_000_000, 1_700_000_000)).toBe(1_700_000_001);
    expect(nextSerial(1_700_000_050, 1_700_000_000)).toBe(1_700_000_051);
    expect(nextSerial(0xffff_ffff, 0)).toBe(0);
    expect(nextSerial(2024010101, 1_700_000_000)).toBe(2024010102);
  });

  it('always increase, whatever the clock', () => {
    fc.assert(
      fc.property(serial, fc.integer({ min: 0, max: 10_000_000_000 }), (old, clock) => {
        expect(serialIsNewer(nextSerial(old, clock), old)).toBe(true);
      }),
      { seed: 3, numRuns: 1_000 },
    );
  });

  it('wrap around on the wire', () => {
    expect(serialOnWire(4_294_967_297n)).toBe(1);
    expect(addToSerial(0xffff_ffff, 2)).toBe(1);
  });
});
