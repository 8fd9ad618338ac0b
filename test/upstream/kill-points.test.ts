import { describe, expect, test } from 'vitest';
import { provenSeed, seedAt } from '../sim/seeds.ts';
import { dialectsWithRows } from './faulted/accounts.ts';
import { killAtEach, upstreamPoints } from './kill-points.ts';
import { randomFrom } from './simulators/random.ts';

const dialects = [...new Set(upstreamPoints.map(({ dialect }) => dialect))];
const dialect = process.env.KILL_DIALECT ?? dialects[seedAt(1) % dialects.length]!;

test('every dialect has a row', () => {
  expect([...dialects].sort()).toEqual(dialectsWithRows());
});

/** The long run kills at every failpoint of every dialect; each commit at two of one dialect. Several seeds are separated by commas. */
const seeds = process.env.KILL_SEED?.split(',').map(Number) ?? [provenSeed([1, 2, 3, 4, 5])];

/** The same seed draws the same two failpoints. */
const runs = seeds.map((seed) => {
  const random = randomFrom(seed);
  const left = upstreamPoints.filter((point) => point.dialect === dialect);
  const drawn = () => left.splice(Math.floor(random() * left.length), 1)[0]!;
  return { seed, dialect, points: [drawn(), drawn()] };
});

describe.each(runs)('failpoints of KILL_DIALECT=$dialect KILL_SEED=$seed', ({ dialect, points }) =>
  killAtEach(dialect, points),
);
