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
  /** The part that is stopped now. */
  readonly onPart?: ((name: string) => void) | undefined;
}

/** Whatever the others used up, each part has this long. */
const leastMs = 500;

/**
 * One after another, each within its limit and in its own right: one that fails or hangs does not keep the others running. What a part leaves undone is
 * taken up again after the next start, as after a crash.
 */
export async function stopParts(parts: readonly StopPart[], { log, totalMs, onPart }: StopOptions): Promise<void> {
  const endAt = performance.now() + totalMs;
  for (const [index, { name, limitMs, stop }] of parts.entries()) {
    onPart?.(name);
    const forOthersMs = leastMs * (parts.length - index - 1);
    const ms = Math.max(leastMs, Math.min(limitMs, endAt - performance.now() - forOthersMs));
    const outcome = await within(ms, async () => stop());
    if (outcome === 'late')
      log.warn({ part: name, limit_ms: Math.round(ms) }, 'part not stopped within its limit; the stop goes on');
    else if (outcome) log.error({ err: outcome.error, part: name }, 'part not stopped cleanly');
  }
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
