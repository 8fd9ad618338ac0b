import type { WallClock } from '../clock.ts';
import { LOGIN_STOP_CODES, SESSION_LIMIT_CODE, UNCERTAIN_CODES } from '../results.ts';
import { Backoff, type BackoffLimits, DEFAULT_BACKOFF, FAILED_LOGIN, REFUSED_LOGIN } from './backoff.ts';
import type { AccountRateLimit, Grant, LoginPause } from './ports.ts';
import { TokenBucket } from './token-bucket.ts';

type PauseKind = 'session-limit' | 'refused' | 'failed';

/** The kind of pause that this answer to a login starts. None if the registry reported a fault of its own or did not answer. */
export function pauseAfter(code: number | undefined): { kind: PauseKind; limits: BackoffLimits } | undefined {
  if (code === undefined || UNCERTAIN_CODES.has(code)) return undefined;
  if (code === SESSION_LIMIT_CODE) return { kind: 'session-limit', limits: DEFAULT_BACKOFF };
  if (LOGIN_STOP_CODES.has(code)) return { kind: 'refused', limits: REFUSED_LOGIN };
  return { kind: 'failed', limits: FAILED_LOGIN };
}

/** Rate limit and login pauses of this process only. Processes that share an account need a shared implementation. */
export class LocalAccount implements AccountRateLimit {
  readonly #clock: WallClock;
  readonly #pacing: TokenBucket;
  readonly #pauses: Readonly<Record<PauseKind, Backoff>>;
  #code = 0;

  constructor(perSecond: number, clock: WallClock, sessionLimit: BackoffLimits = DEFAULT_BACKOFF) {
    this.#clock = clock;
    this.#pacing = new TokenBucket(perSecond, clock);
    this.#pauses = {
      'session-limit': new Backoff(clock, sessionLimit),
      refused: new Backoff(clock, REFUSED_LOGIN),
      failed: new Backoff(clock, FAILED_LOGIN),
    };
  }

  take(): Grant {
    const taken = this.#pacing.take();
    return taken.taken ? { granted: 1, waitMs: 0 } : { granted: 0, waitMs: taken.waitMs };
  }

  charge(): void {
    this.#pacing.charge();
  }

  mayLogIn(isAlone: boolean): LoginPause | null {
    const { refused, failed, 'session-limit': limit } = this.#pauses;
    const ends = [refused.untilMs, failed.untilMs, isAlone ? limit.firstUntilMs : limit.untilMs];
    const untilMs = Math.max(...ends.map((end) => end ?? 0));
    return untilMs > 0 ? { code: this.#code, delayMs: untilMs - this.#clock.nowMs() } : null;
  }

  failed(code: number | undefined): LoginPause | null {
    const begins = pauseAfter(code);
    const pause = begins && this.#pauses[begins.kind];
    // Several commands that get this refusal at the same time count as one.
    if (code === undefined || !pause || pause.firstUntilMs !== undefined) return null;
    this.#code = code;
    const { untilMs } = pause;
    return { code, delayMs: untilMs === undefined ? pause.refused() : pause.again(untilMs) };
  }

  worked(): boolean {
    const had = this.#code !== 0;
    this.#code = 0;
    for (const pause of Object.values(this.#pauses)) pause.succeeded();
    return had;
  }
}
