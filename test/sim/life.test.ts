import { expect, test } from 'vitest';
import { countKinds, missingKinds } from './draw/kinds.ts';
import { known, quick } from './known.ts';
import { describeSpent } from './play-script.ts';
import { drawn, playScripts } from './run.ts';
import type { Script } from './script.ts';
import { freshSeeds, mixed, requestedSeeds, seedAt, shrinkRuns, steadySeeds } from './seeds.ts';

const isLong = process.env.NAMEHOLD_TESTS === 'long';
const freshMs = 120_000;
/** Each commit draws others. */
const shortOnes = 2;
/** A hung installation ends on its own; this limit is for slow machines. */
const timeoutMs = 3_600_000;

/** Fresh ones only in the long run: for some the oracle and the product still disagree, which a change does not cause. */
const short = () =>
  seedAt(0) % 2 === 0 ? mixed(quick).slice(0, shortOnes) : [...drawn(mixed(steadySeeds).slice(0, 1))];
const fresh = () => drawn(freshSeeds(freshMs));
const requested = requestedSeeds();

function runsNow(): [string, () => Iterable<Script>][] {
  if (requested) return [['from the requested seeds', () => drawn(requested)]];
  if (isLong)
    return [
      ['where they once did not', () => known],
      ['from fresh seeds', fresh],
    ];
  return [['in the selection of this commit', short]];
}

// Each in an installation of its own, concurrently, because waiting takes most of the time.
test.concurrent.each(runsNow())(
  'money and domains agree with the oracle, %s',
  async (_about, scripts) => {
    const played: Script[] = [];
    for await (const { seed, script, orders, settlementsMs, spent } of playScripts(scripts(), {
      shrinkRuns: shrinkRuns(isLong || requested ? 10 : 0),
    })) {
      played.push(script);
      const slowest = Math.round(Math.max(0, ...settlementsMs));
      console.log(`seed ${seed} agrees: ${orders} orders, slowest settlement ${slowest} ms, ${describeSpent(spent)}`);
    }
    expect(played.length).toBeGreaterThan(0);
    console.log([...countKinds(played)].map(([kind, times]) => `${kind}: ${times}`).join(', '));
    if (isLong && scripts === fresh) expect(missingKinds(played)).toEqual([]);
  },
  timeoutMs,
);
