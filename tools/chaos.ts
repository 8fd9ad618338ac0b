import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/** CHAOS_SEED; MISCHIEF_SEED is its former name. */
const givenSeed = (): string | undefined => process.env.CHAOS_SEED || process.env.MISCHIEF_SEED;

/** The seed of the faults of chaos mode of sandbox registries. It comes from the commit, so that commits try different faults and each can be repeated. */
export function chaosSeed(): string {
  const given = givenSeed();
  if (given) return given;
  try {
    return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    // A copy without its history.
    return '1';
  }
}

/** Each test file has its own seed. With one for all, the same few commands would fail in every file. */
export function chaosSeedOf(file: string): string {
  if (givenSeed() === 'off') return '';
  const text = `${chaosSeed()} ${relative(process.cwd(), file)}`;
  return String(createHash('sha256').update(text).digest().readUInt32BE());
}
