import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { seededRandom } from '@namehold/base';
import { projectRoot } from '../support/service.ts';
import { draw } from './draw/draw.ts';
import { missingKinds } from './draw/kinds.ts';
import type { Script } from './script.ts';

/** `SIM_SEEDS=1,7,100-150`; undefined if it is not set. */
export function requestedSeeds(text = process.env.SIM_SEEDS): number[] | undefined {
  if (!text) return undefined;
  return text.split(',').flatMap((part) => {
    const [first = 1, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

/** Every commit generates its own seeds: new for each change, and repeatable for a failure of that commit. */
export const seedAt = (place: number, source = commit() ?? chance): number =>
  createHash('sha256').update(`${source} ${place}`).digest().readUInt32BE() >>> 1;

/**
 * A normal run takes one of these seeds, with which the test has passed before: only the change can make it fail. The long run takes a
 * new seed, of the commit.
 */
export const provenSeed = (proven: readonly number[]): number =>
  process.env.NAMEHOLD_TESTS === 'long' ? seedAt(0) : proven[seedAt(0) % proven.length]!;

const chance = randomBytes(16).toString('hex');
const candidates = 60;

/** Seeds of scripts that have agreed: a new disagreement is caused by the change. */
export const steadySeeds: readonly number[] = [
  2_123_485_215, 346_796_937, 571_206_571, 861_732_388, 185_240_532, 1_745_529_985, 1_068_077_239, 150_137_809,
  592_197_665, 1_565_518_986, 1_459_922_755, 1_743_871_898, 1_320_077_801, 77_001, 77_003, 77_004, 77_005, 77_006,
  77_007, 77_008,
];

/** In an order that each commit draws again. */
export function mixed<T>(all: readonly T[]): T[] {
  const random = seededRandom(seedAt(0));
  const placed = all.map((each) => ({ each, place: random() })).sort((one, other) => one.place - other.place);
  return placed.map(({ each }) => each);
}

/** First as few as together have every kind of step, then others until the time is over. */
export function* freshSeeds(forMs: number, source?: string): Generator<number> {
  const until = performance.now() + forMs;
  const left = Array.from({ length: candidates }, (_, place) => draw(seedAt(place, source)));
  const chosen: Script[] = [];
  while (missingKinds(chosen).length > 0 && left.length > 0) {
    const lacks = left.map((script) => missingKinds([...chosen, script]).length);
    const [best] = left.splice(lacks.indexOf(Math.min(...lacks)), 1);
    chosen.push(best as Script);
    yield (best as Script).seed;
  }
  for (let place = candidates; performance.now() < until; place++) yield seedAt(place, source);
}

/** Undefined outside of a checkout. */
export function commit(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: projectRoot, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

/** Maximum runs to reduce a failing script. */
export const shrinkRuns = (usual: number): number => Number(process.env.SIM_SHRINK ?? usual);
