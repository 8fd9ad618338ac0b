import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/** By it a run's sandbox registries misbehave: another with each commit, so that over time much is tried, and the same again for the same one. */
export function chaosSeed(): string {
  const given = process.env.MISCHIEF_SEED;
  if (given) return given;
  try {
    return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    // A copy without its history.
    return '1';
  }
}

/** Each file has its own: with one for all, the same few commands would be struck everywhere. */
export function chaosSeedOf(file: string): string {
  if (process.env.MISCHIEF_SEED === 'off') return '';
  const text = `${chaosSeed()} ${relative(process.cwd(), file)}`;
  return String(createHash('sha256').update(text).digest().readUInt32BE());
}
