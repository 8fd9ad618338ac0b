import type { Disagreement } from './oracle/disagreement.ts';
import { playScript } from './play-script.ts';
import type { Script } from './script.ts';
import { cleanSheet, type Ground, groundFor, openGround } from './worlds.ts';

interface Smaller {
  readonly script: Script;
  readonly runs: number;
}

/** Delta debugging (Zeller): removes ever smaller parts as long as it still `fails`; no single remaining part can be removed. */
export async function minimal<T>(
  whole: readonly T[],
  fails: (candidate: readonly T[]) => Promise<boolean>,
  limit: number,
): Promise<{ readonly left: readonly T[]; readonly runs: number }> {
  let left = whole;
  let runs = 0;
  let size = Math.ceil(left.length / 2);
  while (size >= 1 && runs < limit) {
    const before = left.length;
    for (let at = 0; at < left.length && runs < limit; ) {
      const candidate = [...left.slice(0, at), ...left.slice(at + size)];
      runs += 1;
      if (candidate.length > 0 && (await fails(candidate))) left = candidate;
      else at += size;
    }
    // A part that could not be removed at first may be removable after a later one.
    if (size > 1 || left.length === before) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { left, runs };
}

/** The same finding from as few steps as possible; `limit` bounds the runs. */
export async function smaller(
  script: Script,
  failure: Disagreement,
  limit: number,
  open: typeof openGround = openGround,
): Promise<Smaller> {
  let ground: Ground | undefined;
  try {
    const { left, runs } = await minimal(
      script.steps,
      async (steps) => {
        ground = await groundFor(script, ground, open);
        const { failure: again } = await playScript(ground, { ...script, steps });
        if (again !== undefined) ground = await cleanSheet(ground);
        return again?.matter === failure.matter;
      },
      limit,
    );
    return { script: { ...script, steps: left }, runs };
  } finally {
    await ground?.installation.dispose();
  }
}
