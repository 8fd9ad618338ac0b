import { randomInt } from 'node:crypto';

const maxFreshSeed = 2 ** 31;

/** `SIM_SEEDS=1,7,100-150`, or undefined when nothing is asked for. */
export function askedSeeds(): number[] | undefined {
  const asked = process.env.SIM_SEEDS;
  if (!asked) return undefined;
  return asked.split(',').flatMap((part) => {
    const [first = 1, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

/** New ones each time, until the time is over; one at least. */
export function* freshSeeds(forMs: number): Generator<number> {
  const until = performance.now() + forMs;
  do yield randomInt(1, maxFreshSeed);
  while (performance.now() < until);
}

/** Runs that may be spent on making a failing script small. */
export const shrinkRuns = (usual: number): number => Number(process.env.SIM_SHRINK ?? usual);
