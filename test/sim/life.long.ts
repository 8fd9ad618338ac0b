import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/service.ts';
import { drawn, playScripts } from './run.ts';
import { commit, requestedSeeds, shrinkRuns } from './seeds.ts';

const last = 500;
const timeoutMs = 12 * 3_600_000;

/** The seed at which a run of this commit ended or failed: the next run begins there, so that hours are not repeated. */
const bookmark = join(projectRoot, 'node_modules', '.cache', `sim-next-seed-${commit() ?? 'none'}`);
const readBookmark = () => (existsSync(bookmark) ? Number(readFileSync(bookmark, 'utf8')) : 1);
function keepBookmark(seed: number): void {
  mkdirSync(dirname(bookmark), { recursive: true });
  writeFileSync(bookmark, String(seed));
}

test(
  `money and domains agree with the oracle, from ${last} seeds`,
  async () => {
    const requested = requestedSeeds();
    const first = readBookmark();
    const seeds = requested ?? Array.from({ length: last - first + 1 }, (_, n) => first + n);
    let played = 0;
    for await (const { seed } of playScripts(drawn(seeds), { shrinkRuns: shrinkRuns(60) })) {
      played += 1;
      if (requested === undefined) keepBookmark(seed + 1);
      if (played % 10 === 0) console.log(`seed ${seed} agrees, as did the ${played - 1} before it`);
    }
    expect(played).toBe(seeds.length);
    if (requested === undefined) rmSync(bookmark, { force: true });
  },
  timeoutMs,
);
