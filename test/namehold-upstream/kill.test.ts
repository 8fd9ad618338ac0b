import { seededRandom } from '@namehold/base';
import { describe } from 'vitest';
import { provenSeed } from '../sim/seeds.ts';
import { chainPoints, killAtEach } from './kill.ts';

/** The long run kills at every failpoint; each commit alternately one side and the other, at its own failpoints. */
const seed = Number(process.env.KILL_SEED ?? provenSeed([1, 2, 3]));
const random = seededRandom(seed);

describe(`failpoints of KILL_SEED=${seed}`, () => {
  killAtEach(
    (['platform', 'seller'] as const).map((victim) => {
      const among = chainPoints.filter(({ who }) => who === victim);
      return among[Math.floor(random() * among.length)]!;
    }),
  );
});
