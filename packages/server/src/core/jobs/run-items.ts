import type { AppContext } from '../app-context.ts';

interface Failure {
  readonly id: string;
  readonly error: unknown;
}

/** Some items of a run failed; all others were processed. */
export class RunFailed extends Error {
  override name = 'RunFailed';
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    const [first] = failures;
    const why = first?.error instanceof Error ? first.error.message : String(first?.error);
    super(`${failures.length} items of a run failed, the first of them ${first?.id}: ${why}`, { cause: first?.error });
    this.failures = failures;
  }
}

/**
 * Processes a few items in parallel, so that a slow answer does not hold up the run. A failing item (such as an unexpected answer) does
 * not stop the others: it is logged, and the run fails after all were processed.
 */
export async function forEachParallel<T extends { readonly id: string }>(
  ctx: Pick<AppContext, 'log'>,
  concurrency: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const failures: Failure[] = [];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { id } = next;
      await work(next).catch((error: unknown) => {
        ctx.log.error({ err: error, id }, 'one item of a run failed; the others are processed');
        failures.push({ id, error });
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw new RunFailed(failures);
}

/** Runs each of them, one after the other; then throws the first failure. */
export async function runSteps(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
