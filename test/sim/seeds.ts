import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { projectRoot } from '../support/service.ts';
import { draw } from './draw/draw.ts';
import { missingKinds } from './draw/kinds.ts';
import type { Script } from './script.ts';

/** `SIM_SEEDS=1,7,100-150`, or undefined when nothing is asked for. */
export function askedSeeds(asked = process.env.SIM_SEEDS): number[] | undefined {
  if (!asked) return undefined;
  return asked.split(',').flatMap((part) => {
    const [first = 1, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

/** Every commit draws seeds of its own: fresh with each change, and the same again for whoever looks at a failure of that commit. */
export const seedAt = (place: number, source = commit() ?? chance): number =>
  createHash('sha256').update(`${source} ${place}`).digest().readUInt32BE() >>> 1;

const chance = randomBytes(16).toString('hex');
const candidates = 60;

/** For worlds that are not patient: a patient one would have to be opened beside them. */
export const plainSeeds = (count: number): number[] =>
  Array.from({ length: candidates }, (_, place) => seedAt(place))
    .filter((seed) => !draw(seed).isPatient)
    .slice(0, count);

/** First as few as have every kind of step between them, then others until the time is over. */
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

/** Runs that may be spent on making a failing script small. */
export const shrinkRuns = (usual: number): number => Number(process.env.SIM_SHRINK ?? usual);
