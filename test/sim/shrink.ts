import { cleanSheet, type Ground, groundFor, openGround } from './ground.ts';
import type { Disagreement } from './oracle/disagreement.ts';
import { playScript } from './play-script.ts';
import type { Script } from './script.ts';

export interface Smaller {
  readonly script: Script;
  readonly runs: number;
}

/** Delta debugging (Zeller): leaves out ever smaller pieces as long as it still `fails`; no single piece of what is left can go. */
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
    // What could not go at first may go now that something later is gone.
    if (size > 1 || left.length === before) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { left, runs };
}

/** The same complaint from as few steps as can be; `limit` bounds the runs. */
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
    await ground?.world.dispose();
  }
}
