/** A part of a stop, with the time that it may take. */
export interface StopPart {
  readonly name: string;
  readonly limitMs: number;
  stop(): Promise<unknown> | unknown;
}

export interface StopOptions {
  readonly log: Record<'warn' | 'error', (facts: object, text: string) => void>;
  /** For all of them together. */
  readonly totalMs: number;
  /** The parts that are stopped now. */
  readonly onPart?: ((name: string) => void) | undefined;
}

/** A part that took longer is named. */
const slowMs = 1_500;
/** Whatever the others used up, each part has this long. */
const leastMs = 500;

/** Parts that are stopped at the same time: none of them needs another. */
export type StopStep = readonly StopPart[];

/**
 * Step after step, each part within its limit and in its own right: one that fails or hangs does not keep the others running. What a part leaves undone is
 * taken up again after the next start, as after a crash.
 */
export async function stopParts(steps: readonly StopStep[], { log, totalMs, onPart }: StopOptions): Promise<void> {
  const endAt = performance.now() + totalMs;
  for (const [index, step] of steps.entries()) {
    onPart?.(step.map(({ name }) => name).join(', '));
    const forOthersMs = leastMs * (steps.length - index - 1);
    const leftMs = Math.max(leastMs, endAt - performance.now() - forOthersMs);
    await Promise.all(step.map((part) => stopPart(part, Math.min(part.limitMs, leftMs), log)));
  }
}

async function stopPart({ name, stop }: StopPart, ms: number, log: StopOptions['log']): Promise<void> {
  const begunAt = performance.now();
  const outcome = await within(ms, async () => stop());
  const tookMs = Math.round(performance.now() - begunAt);
  if (outcome === 'late')
    log.warn({ part: name, limit_ms: Math.round(ms) }, 'part not stopped within its limit; the stop goes on');
  else if (outcome) log.error({ err: outcome.error, part: name }, 'part not stopped cleanly');
  else if (tookMs > slowMs) log.warn({ part: name, took_ms: tookMs }, 'part stopped slowly');
}

type Outcome = 'late' | { readonly error: unknown } | undefined;

function within(ms: number, work: () => Promise<unknown>): Promise<Outcome> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve('late'), ms);
    work()
      .then(
        () => resolve(undefined),
        (error: unknown) => resolve({ error }),
      )
      .finally(() => clearTimeout(late));
  });
}
