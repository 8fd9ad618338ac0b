import type { UnknownReason, UnsentReason } from '@namehold/epp';

export const breakerLimits = { failures: 3, firstPauseMs: 1_000, maxPauseMs: 10_000 };

/** Whether a command was rejected or not answered by the registry. Errors of our journal, a full queue or a closing pool do not count. */
const failureReasons: ReadonlySet<UnsentReason | UnknownReason> = new Set([
  'connect-failed',
  'greeting-failed',
  'login-refused',
  'login-failed',
  'logins-stopped',
  'session-limit',
  'session-lost',
  'timeout',
  'socket-died',
  'unreadable-answer',
]);

/**
 * Circuit breaker: after some consecutive failures, calls are refused at once for a while, so that requests do not wait for a registry
 * that is down.
 */
export class Breaker {
  #failures = 0;
  /** A monotonic clock, so that a clock correction does not keep the breaker open. */
  #openUntil = Number.NEGATIVE_INFINITY;

  get isOpen(): boolean {
    return this.#openUntil > performance.now();
  }

  /** Any answer shows that the registry is available, also 2400. */
  answered(answer: { readonly kind: string; readonly why?: UnknownReason | undefined }): void {
    if (answer.kind !== 'unknown' || answer.why === 'server-error') this.#succeeded();
    else if (answer.why !== undefined && failureReasons.has(answer.why)) this.#failed();
  }

  unsent(why: UnsentReason): void {
    if (failureReasons.has(why)) this.#failed();
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#openUntil = Number.NEGATIVE_INFINITY;
  }

  #failed(): void {
    this.#failures += 1;
    const over = this.#failures - breakerLimits.failures;
    if (over < 0) return;
    const pause = Math.min(breakerLimits.maxPauseMs, breakerLimits.firstPauseMs * 2 ** Math.min(over, 10));
    this.#openUntil = performance.now() + pause;
  }
}
