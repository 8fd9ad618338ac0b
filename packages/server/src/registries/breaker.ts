import type { UnknownReason, UnsentReason } from '@namehold/epp';

export const breakerLimits = { failures: 3, firstPauseMs: 1_000, maxPauseMs: 10_000 };

/** A command that the registry did not take or did not answer. Our own journal, a full queue or a closing pool say nothing about it. */
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

/** After some failures in a row calls are refused at once for a while, so that nobody waits for a registry that is down. */
export class Breaker {
  #failures = 0;
  /** By a clock that nobody sets: one that was put right by days would leave it open for days. */
  #openUntil = Number.NEGATIVE_INFINITY;

  get isOpen(): boolean {
    return this.#openUntil > performance.now();
  }

  /** An answer, whatever it says, shows a registry that is there; a 2400 too. */
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
