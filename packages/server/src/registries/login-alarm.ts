import { setTimeout as sleep } from 'node:timers/promises';
import { SESSION_LIMIT_CODE } from '@namehold/epp';
import { clearAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import type { AppContext } from '../core/app-context.ts';

/** A shorter pause is a usual rate limit. */
export const loginAlarmLimits = { retryMs: 5_000, rateLimitMs: 60_000 };

/** The upstream limits our requests; the status of HTTP. */
const rateLimited = 429;

interface Stopped {
  readonly code: number;
  readonly delayMs: number;
}

/**
 * Alarm of our account at one registry: raised when logins fail or the upstream limits our requests for long, cleared when one works. A
 * failed write is retried later.
 */
export class LoginAlarm {
  readonly #ctx: AppContext;
  readonly #registryId: string;
  readonly #key: string;
  /** The refusal of the login and the end of the pause. Null: logins work. */
  #wanted: Stopped | null = null;
  #stored: Stopped | null | undefined;
  #message = '';
  #isWriting = false;
  #isClosed = false;

  constructor(ctx: AppContext, registryId: string) {
    this.#ctx = ctx;
    this.#registryId = registryId;
    this.#key = `registry:${registryId}:login`;
  }

  /** The message of the registry, which may name the cause. */
  refused(text: string): void {
    this.#message = text;
  }

  stopped(code: number, delayMs: number): void {
    this.#wanted = { code, delayMs };
    void this.#write();
  }

  /** The upstream limits our requests, with this message. */
  limited(text: string, delayMs: number): void {
    if (delayMs < loginAlarmLimits.rateLimitMs) return;
    this.#message = text;
    this.stopped(rateLimited, delayMs);
  }

  worked(): void {
    this.#wanted = null;
    void this.#write();
  }

  /** Another process may have raised it. */
  resumed(): void {
    this.#stored = undefined;
    this.worked();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (!this.#isClosed && this.#stored !== this.#wanted) {
      const wanted = this.#wanted;
      try {
        await (wanted === null ? clearAlarm(this.#ctx, this.#key) : this.#raise(wanted));
        this.#stored = wanted;
      } catch (error) {
        this.#ctx.log.error({ err: error, alarm: this.#key }, 'alarm not stored; will retry');
        await sleep(loginAlarmLimits.retryMs, undefined, { ref: false });
      }
    }
    this.#isWriting = false;
  }

  #raise({ code, delayMs }: Stopped): Promise<void> {
    const isLimit = code === SESSION_LIMIT_CODE;
    const what = isLimit ? 'has no free session for us' : 'refuses our login';
    const fix = isLimit
      ? 'limits.sessions of its profile may be too many'
      : 'or after a change of its settings. Compare the credentials, the allowed addresses and the state of the account there';
    const minutes = Math.ceil(delayMs / 60_000);
    if (code === rateLimited) {
      return raiseAlarm(this.#ctx, {
        key: this.#key,
        severity: 'warning',
        sentence: `registry ${this.#registryId} limits our requests (${this.#message}); orders wait, and the next request is sent in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. If this repeats, lower limits.requestsPerMinute of its profile, or ask the upstream to end the block`,
      });
    }
    return raiseAlarm(this.#ctx, {
      key: this.#key,
      severity: isLimit ? 'warning' : 'critical',
      sentence: `registry ${this.#registryId} ${what} (${code}${!isLimit && this.#message ? `: ${this.#message}` : ''}); the next login is tried in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, ${fix}`,
    });
  }
}
