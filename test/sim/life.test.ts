import { seededRandom } from '@namehold/base';
import { expect, test } from 'vitest';
import { countKinds, missingKinds } from './draw/kinds.ts';
import { known } from './known.ts';
import { drawn, playScripts } from './run.ts';
import type { Script } from './script.ts';
import { askedSeeds, freshSeeds, seedAt, shrinkRuns } from './seeds.ts';

const isLong = process.env.NAMEHOLD_TESTS === 'long';
const freshMs = 120_000;
/** Each commit plays some, in an order of its own; the long run plays them all. */
const knownInShort = 7;
/** A world that hangs ends by itself; this is for slow machines. */
const patienceMs = 3_600_000;

function knownNow(): Script[] {
  const random = seededRandom(seedAt(0));
  const drawn = known.map((script) => ({ script, place: random() })).sort((one, other) => one.place - other.place);
  return drawn.map(({ script }) => script).slice(0, isLong ? undefined : knownInShort);
}

/** Fresh ones only in the long run: the judge is wrong about some (clocks that jump, modes that have served), and a change is not to blame for that. */
const steady = [1_536_214_845, 138_225_306];
const fresh = () => drawn(isLong ? freshSeeds(freshMs) : steady);
const asked = askedSeeds();
const runs: [string, () => Iterable<Script>][] = asked
  ? [['from the seeds that are asked for', () => drawn(asked)]]
  : [
      ['where they once did not', knownNow],
      ['from seeds', fresh],
    ];

// Each in a world of its own, side by side: what costs time is waiting, and they wait together.
test.concurrent.each(runs)(
  'money and names agree with the judge, %s',
  async (_about, scripts) => {
    const played: Script[] = [];
    for await (const { seed, script, orders, settlementsMs } of playScripts(scripts(), {
      shrinkRuns: shrinkRuns(10),
    })) {
      played.push(script);
      console.log(
        `seed ${seed} agrees: ${orders} orders, slowest settlement ${Math.round(Math.max(0, ...settlementsMs))} ms`,
      );
    }
    expect(played.length).toBeGreaterThan(0);
    console.log([...countKinds(played)].map(([kind, times]) => `${kind}: ${times}`).join(', '));
    if (isLong && scripts === fresh) expect(missingKinds(played)).toEqual([]);
  },
  patienceMs,
);
