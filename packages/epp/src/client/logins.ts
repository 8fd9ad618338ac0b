import type { WallClock } from '../clock.ts';
import { EppUnsentError } from '../errors.ts';
import { SESSION_LIMIT_CODE } from '../results.ts';
import type { AccountRateLimit, EppClientEvent, EppCredentials, LoginPause } from './ports.ts';
import { EppSession, type SessionOptions } from './session.ts';

/** How often a pause is checked again: another process may have ended it. */
const PAUSE_POLL_MS = 5_000;

type LoginOptions = Omit<SessionOptions, 'credentials' | 'onDead'> & {
  readonly credentials: EppCredentials | (() => Promise<EppCredentials>);
};

/** Logins at the registry, and their pauses after a refused one. Pauses are shared with other processes by the account. */
export class Logins {
  readonly #options: LoginOptions;
  readonly #account: AccountRateLimit;
  readonly #clock: WallClock;
  readonly #emit: (event: EppClientEvent) => void;
  /** Logins are paused, as far as this process knows. */
  #pause: { readonly code: number; readonly untilMs: number; readonly pollMs: number } | undefined;

  constructor(options: LoginOptions, account: AccountRateLimit) {
    this.#options = options;
    this.#account = account;
    this.#clock = options.clock;
    this.#emit = options.onEvent;
  }

  /** A pause that this process started or learned of. It is checked again every `PAUSE_POLL_MS`. */
  get paused(): LoginPause | undefined {
    const nowMs = this.#clock.nowMs();
    const pause = this.#pause;
    return pause && pause.untilMs > nowMs && pause.pollMs > nowMs
      ? { code: pause.code, delayMs: pause.untilMs - nowMs }
      : undefined;
  }

  state(): { readonly loginsStopped: boolean; readonly backingOffUntilMs: number | undefined } {
    const pause = this.#pause && this.#pause.untilMs > this.#clock.nowMs() ? this.#pause : undefined;
    const isLimit = pause?.code === SESSION_LIMIT_CODE;
    return { loginsStopped: pause !== undefined && !isLimit, backingOffUntilMs: isLimit ? pause?.untilMs : undefined };
  }

  /** `isAlone`: this process has no session. @throws EppUnsentError if logins are paused, or this one fails. */
  async logIn(isAlone: boolean, onDead: (session: EppSession) => void): Promise<EppSession> {
    const pause = await this.#account.mayLogIn(isAlone);
    if (pause) {
      this.#notePause(pause);
      throw pausedError(pause);
    }
    try {
      const session = await this.#logInWithNewest(onDead);
      await this.resume();
      return session;
    } catch (error) {
      await this.failed(error instanceof EppUnsentError ? error.code : undefined);
      throw error;
    }
  }

  /** A login worked, or an operator ends the pause. */
  async resume(): Promise<void> {
    this.#pause = undefined;
    // If this note fails, the next login repeats it. Until then other processes wait longer than necessary.
    const isResumed = await Promise.resolve(this.#account.worked()).catch(() => false);
    if (isResumed) this.#emit({ type: 'logins-resumed' });
  }

  /** No login is repeated at once, because an account may be locked after a few. Faults of the registry itself start no pause. */
  async failed(code: number | undefined): Promise<void> {
    // If the pause cannot be shared, it applies to this process at least.
    const pause = await Promise.resolve(this.#account.failed(code)).catch(() =>
      code === undefined ? null : { code, delayMs: PAUSE_POLL_MS },
    );
    if (!pause) return;
    this.#notePause(pause);
    const { delayMs } = pause;
    if (pause.code === SESSION_LIMIT_CODE) this.#emit({ type: 'backing-off', delayMs, why: 'session limit' });
    else this.#emit({ type: 'logins-stopped', code: pause.code, delayMs });
  }

  #notePause({ code, delayMs }: LoginPause): void {
    const nowMs = this.#clock.nowMs();
    this.#pause = { code, untilMs: nowMs + delayMs, pollMs: nowMs + PAUSE_POLL_MS };
  }

  /** If the password changed between reading it and the registry's check, the login is retried with the new one. */
  async #logInWithNewest(onDead: (session: EppSession) => void): Promise<EppSession> {
    const used = await this.#credentials();
    try {
      return await this.#open(used, onDead);
    } catch (error) {
      const isRefused = error instanceof EppUnsentError && error.why === 'login-refused';
      const now = isRefused ? await this.#credentials() : used;
      if (now.pw === used.pw) throw error;
      return this.#open(now, onDead);
    }
  }

  async #credentials(): Promise<EppCredentials> {
    const { credentials } = this.#options;
    return typeof credentials === 'function' ? credentials() : credentials;
  }

  #open(credentials: EppCredentials, onDead: (session: EppSession) => void): Promise<EppSession> {
    this.#account.charge();
    return EppSession.open({ ...this.#options, credentials, onDead });
  }
}

export function pausedError({ code }: LoginPause): EppUnsentError {
  if (code === SESSION_LIMIT_CODE) return new EppUnsentError('session-limit', 'backing off', code);
  return new EppUnsentError('logins-stopped', `logins are paused because the registry answered ${code}`, code);
}
