import { sweepAll } from '../faults/world.ts';
import { draw } from './draw/draw.ts';
import type { Disagreement } from './oracle/disagreement.ts';
import { playScript } from './play-script.ts';
import { printed, type Script } from './script.ts';
import { smaller } from './shrink.ts';
import { cleanSheet, type Ground, groundFor, openGround } from './worlds.ts';

/** An interrupted run must leave nothing behind. */
const stopOnSignal = () => {
  const stop = () => {
    sweepAll();
    process.exit(1);
  };
  // A second signal must not end the clean-up of the first.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
  };
};

export function* drawn(seeds: Iterable<number>, names?: number): Generator<Script> {
  for (const seed of seeds) yield draw(seed, names === undefined ? {} : { names });
}

interface RunOptions {
  /** How often a failing script may run to reduce it; without it failures are reported and the run continues. */
  readonly shrinkRuns?: number;
  readonly scriptsPerGround?: number;
  readonly open?: typeof openGround;
}

/** Runs scripts on one installation after another; a failure is reduced before it is reported. */
export async function* playScripts(scripts: Iterable<Script>, options: RunOptions = {}) {
  const { shrinkRuns, scriptsPerGround = 25, open = openGround } = options;
  let ground: Ground | undefined;
  let played = 0;
  const listenNoMore = stopOnSignal();
  try {
    for (const script of scripts) {
      const { seed } = script;
      ground = await groundFor(script, ground, open);
      const result = await playScript(ground, script);
      played += 1;
      if (result.failure === undefined || shrinkRuns === undefined) yield { seed, script, ...result, ground };
      if (result.failure !== undefined) ground = await cleanSheet(ground);
      if (played % scriptsPerGround === 0) {
        await ground?.installation.dispose();
        ground = undefined;
      }
      if (result.failure !== undefined && shrinkRuns !== undefined)
        throw await small(script, result.failure, shrinkRuns, open);
    }
  } finally {
    listenNoMore();
    await ground?.installation.dispose();
  }
}

async function small(script: Script, failure: Disagreement, runs: number, open: () => Promise<Ground>): Promise<Error> {
  console.error(`seed ${script.seed} fails: ${failure.message}\n${printed(script)}`);
  const made = await smaller(script, failure, runs, open);
  return new Error(
    `seed ${script.seed}: ${failure.message}\nreduced in ${made.runs} runs: ${printed(made.script)}\nrepeat: SIM_SEEDS=${script.seed}`,
  );
}
