import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Business time: expiry, grace, policy, prices, quotes. Leases, rate limits, TLS and logs use the wall clock instead. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export interface MovableClock extends Clock {
  offsetMs(): number;
  move(byMs: number): void;
}

const maxOffsetMs = 1_000 * 366 * 86_400_000;

/**
 * A clock that service and sandbox registry share through one small file, so that both jump at the same instant.
 * The file is read at every call: about ten microseconds, and only in sandbox mode.
 */
export function clockFromFile(path: string, wall: Clock = systemClock): MovableClock {
  const offsetMs = (): number => {
    try {
      const parsed = Number(readFileSync(path, 'utf8'));
      return Number.isSafeInteger(parsed) ? parsed : 0;
    } catch {
      return 0;
    }
  };
  return {
    offsetMs,
    now: () => new Date(wall.now().getTime() + offsetMs()),
    move(byMs) {
      const moved = offsetMs() + Math.trunc(byMs);
      // A value beyond this limit would be read back as "not moved", and the date would jump to today.
      if (!(Math.abs(moved) <= maxOffsetMs)) throw new RangeError('the clock can be moved by a thousand years at most');
      // Written to a second file and renamed, so that a reader never sees half a number.
      const draft = `${path}.${process.pid}.tmp`;
      writeFileSync(draft, String(moved));
      renameSync(draft, path);
    },
  };
}

/** For tests of pure rules: the time changes only when a test moves it. */
export function fakeClock(start: string | Date): MovableClock {
  const origin = new Date(start).getTime();
  let offset = 0;
  return {
    offsetMs: () => offset,
    now: () => new Date(origin + offset),
    move: (byMs) => {
      offset += byMs;
    },
  };
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `+30d`, `-2h`, `90s`, `1w`. Undefined: not in this form, or more than a thousand years. */
export function parseDurationMs(text: string): number | undefined {
  const match = /^([+-]?)(\d{1,9})([smhdw])$/.exec(text.trim());
  if (!match) return undefined;
  const size = Number(match[2]) * unitMs[match[3] as string]!;
  if (size > maxOffsetMs) return undefined;
  return match[1] === '-' ? -size : size;
}
