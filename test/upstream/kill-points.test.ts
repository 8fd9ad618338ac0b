import { describe } from 'vitest';
import { provenSeed, seedAt } from '../sim/seeds.ts';
import { killAtEach, upstreamPoints } from './kill-points.ts';
import { randomFrom } from './simulators/random.ts';

/** The long run kills at every failpoint of every dialect; each commit at two of one dialect. */
const seed = Number(process.env.KILL_SEED ?? provenSeed([1, 2, 3, 4, 5]));
const random = randomFrom(seed);
const dialects = [...new Set(upstreamPoints.map(({ dialect }) => dialect))];
const dialect = process.env.KILL_DIALECT ?? dialects[seedAt(1) % dialects.length]!;

describe(`failpoints of KILL_DIALECT=${dialect} KILL_SEED=${seed}`, () => {
  const left = upstreamPoints.filter((point) => point.dialect === dialect);
  const drawn = () => left.splice(Math.floor(random() * left.length), 1)[0]!;
  killAtEach(dialect, [drawn(), drawn()]);
});
