import { type Ground, openGround, playScript } from './run.ts';
import type { Script, Step } from './script.ts';

export interface Smaller {
  readonly script: Script;
  readonly runs: number;
}

/** Delta debugging (Zeller): leaves out ever smaller pieces as long as the judge still complains; `limit` bounds the runs. */
export async function smaller(script: Script, limit: number): Promise<Smaller> {
  let steps: readonly Step[] = script.steps;
  let runs = 0;
  let ground: Ground | undefined;
  const fails = async (candidate: readonly Step[]): Promise<boolean> => {
    runs += 1;
    ground ??= await openGround();
    const { failure } = await playScript(ground, { ...script, steps: candidate });
    if (failure === undefined) return false;
    // Books that disagree once disagree for ever: the next try needs clean ones.
    await ground.world.dispose();
    ground = undefined;
    return true;
  };
  try {
    for (
      let size = Math.ceil(steps.length / 2);
      size >= 1 && runs < limit;
      size = size === 1 ? 0 : Math.ceil(size / 2)
    ) {
      for (let at = 0; at < steps.length && runs < limit; ) {
        const candidate = [...steps.slice(0, at), ...steps.slice(at + size)];
        if (candidate.length > 0 && (await fails(candidate))) steps = candidate;
        else at += size;
      }
    }
  } finally {
    await ground?.world.dispose();
  }
  return { script: { ...script, steps }, runs };
}
