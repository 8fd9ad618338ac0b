/** A part of the shutdown with its time limit. */
interface StopPart {
  readonly name: string;
  readonly limitMs: number;
  /** A wait that is part of every stop, such as an announcement to load balancers. */
  readonly expectedMs?: number | undefined;
  stop(): Promise<unknown> | unknown;
}

interface StopOptions {
  readonly log: Record<'warn' | 'error', (facts: object, text: string) => void>;
  /** The limit for all parts together. */
  readonly totalMs: number;
  readonly onPart?: OnStopPart | undefined;
}

/** Called with the parts that are stopped next, at the same time. The result is called with each of them when it has ended. */
export type OnStopPart = (...names: string[]) => (name: string) => void;

/** Parts that took longer are logged. */
const slowMs = 1_500;
/** Each part has at least this long, whatever the earlier ones used. */
const leastMs = 500;

/** Parts that stop at the same time, because none depends on another. */
export type StopStep = readonly StopPart[];

/**
 * Stops the parts step by step, each within its own limit. A part that fails or hangs does not keep the others running. Unfinished work
 * is resumed after the next start, as after a crash.
 */
export async function stopParts(steps: readonly StopStep[], { log, totalMs, onPart }: StopOptions): Promise<void> {
  const endAt = performance.now() + totalMs;
  for (const [index, step] of steps.entries()) {
    const ended = onPart?.(...step.map(({ name }) => name));
    const forOthersMs = leastMs * (steps.length - index - 1);
    const leftMs = Math.max(leastMs, endAt - performance.now() - forOthersMs);
    await Promise.all(
      step.map((part) => stopPart(part, Math.min(part.limitMs, leftMs), log).finally(() => ended?.(part.name))),
    );
  }
}

async function stopPart({ name, stop, expectedMs = 0 }: StopPart, ms: number, log: StopOptions['log']): Promise<void> {
  const begunAt = performance.now();
  const outcome = await within(ms, async () => stop());
  const tookMs = Math.round(performance.now() - begunAt);
  if (outcome === 'late')
    log.warn({ part: name, limit_ms: Math.round(ms) }, 'part not stopped within its limit; shutdown continues');
  else if (outcome) log.error({ err: outcome.error, part: name }, 'stopping part failed');
  else if (tookMs > slowMs + expectedMs) log.warn({ part: name, took_ms: tookMs }, 'part stopped slowly');
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
