import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { pairs, shown } from './pairs.ts';
import type { DeletionService } from './world.ts';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const atOnce = 5;
/** Maximum delay of either side. */
const spreadMs = 30;

/**
 * Uses and deletions that begin at almost the same moment: exactly one of both is refused, or both succeed; never a 500, and no orphan
 * is left.
 */
export async function runRandomly(w: DeletionService, { seed, times }: { seed: number; times: number }): Promise<void> {
  const next = chance(seed);
  const all = pairs.filter((pair) => !pair.isRare);
  const quick = all.filter((pair) => !pair.isSlow);
  for (let done = 0; done < times; done += atOnce) {
    const selected = Array.from({ length: Math.min(atOnce, times - done) }, () => {
      // One in five is an order, which takes a registry.
      const candidates = next() < 0.2 ? all : quick;
      return { pair: candidates[Math.floor(next() * candidates.length)]!, ahead: (next() - 0.5) * 2 * spreadMs };
    });
    await Promise.all(
      selected.map(async ({ pair, ahead }) => {
        const { use, remove } = await pair.open(w);
        const [used, removed] = await Promise.all([
          sleep(Math.max(0, ahead)).then(use),
          sleep(Math.max(0, -ahead)).then(remove),
        ]);
        const both = `${pair.what}, seed ${seed}: use ${used.status}, deletion ${removed.status}: ${used.text} ${removed.text}`;
        const isUsed = used.status < 300 && shown(used) !== pair.refused;
        expect([200, 409], both).toContain(removed.status);
        if (!isUsed) expect(`${used.status}`, both).toBe(pair.refused.split(' ')[0]);
        if (!pair.removed) expect(isUsed, both).toBe(removed.status === 409);
      }),
    );
    expect(await w.orphans(), `seed ${seed}, after ${done + selected.length}`).toEqual([]);
  }
}
