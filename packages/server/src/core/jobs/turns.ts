import type { AppContext } from '../app-context.ts';

interface Failure {
  readonly id: string;
  readonly error: unknown;
}

/** Some of a round failed; all others had their turn. */
export class RoundFailed extends Error {
  override name = 'RoundFailed';
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    const [first] = failures;
    const why = first?.error instanceof Error ? first.error.message : String(first?.error);
    super(`${failures.length} of a round failed, the first of them ${first?.id}: ${why}`, { cause: first?.error });
    this.failures = failures;
  }
}

/**
 * A few side by side: a slow answer holds up a lane, not the round. Nor does one of which nothing can be made (an answer that nobody foresaw)
 * stop its neighbours: it is told in the log, and the round fails when all had their turn.
 */
export async function inTurns<T extends { readonly id: string }>(
  ctx: Pick<AppContext, 'log'>,
  lanes: number,
  things: readonly T[],
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const queue = [...things];
  const failures: Failure[] = [];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { id } = next;
      await work(next).catch((error: unknown) => {
        ctx.log.error({ err: error, id }, 'one of a round failed; the others have their turn');
        failures.push({ id, error });
      });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failures.length > 0) throw new RoundFailed(failures);
}

/** Each of them, one after the other; then the first failure is told. */
export async function eachStep(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
