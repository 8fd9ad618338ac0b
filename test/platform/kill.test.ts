import { seededRandom } from '@namehold/base';
import { describe } from 'vitest';
import { freshSeeds } from '../sim/seeds.ts';
import { chainPoints, killAtEach } from './kill.ts';

/** The long run kills at every point; each commit once the one and once the other, at points of its own. */
const seed = Number(process.env.KILL_SEED ?? freshSeeds(0).next().value);
const random = seededRandom(seed);

describe(`points of KILL_SEED=${seed}`, () => {
  killAtEach(
    (['platform', 'seller'] as const).map((victim) => {
      const among = chainPoints.filter(({ who }) => who === victim);
      return among[Math.floor(random() * among.length)]!;
    }),
  );
});
