import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { projectRoot } from '../support/service.ts';

/** `SIM_SEEDS=1,7,100-150`, or undefined when nothing is asked for. */
export function askedSeeds(): number[] | undefined {
  const asked = process.env.SIM_SEEDS;
  if (!asked) return undefined;
  return asked.split(',').flatMap((part) => {
    const [first = 1, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

/** Every commit draws seeds of its own: fresh with each change, and the same again for whoever looks at a failure of that commit. */
export function* freshSeeds(forMs: number): Generator<number> {
  const until = performance.now() + forMs;
  const source = commit() ?? randomBytes(16).toString('hex');
  let place = 0;
  do {
    yield createHash('sha256').update(`${source} ${place}`).digest().readUInt32BE() >>> 1;
    place += 1;
  } while (performance.now() < until);
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
