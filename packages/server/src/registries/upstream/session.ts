import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../core/app-context.ts';
import {
  beginUpstreamLogin,
  dropUpstreamToken,
  endUpstreamLogin,
  readUpstreamToken,
} from '../../core/registries/upstream-session.sql.ts';
import type { Dialect } from './dialect.ts';
import type { Exchange } from './wire.ts';

/** Interval at which a process looks for the token of another one's login. */
const pollMs = 100;
/** A token is read again from the database after this time, because another process may have replaced it. */
const readAgainMs = 60_000;

type SessionRules = NonNullable<Dialect['session']>;

interface Parts {
  readonly id: string;
  readonly ctx: AppContext;
  readonly rules: SessionRules;
  /** Timeout of a login. */
  readonly loginMs: number;
}

interface Held {
  readonly token: string;
  readonly encrypted: string;
  readonly until: number;
}

type Opened = Held | { readonly failed: Exchange };

/** The token of our login at an upstream. All processes share it, because logins are limited. */
export class UpstreamSession {
  readonly #parts: Parts;
  #held: Held | undefined;
  #opening: Promise<Opened> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** With a token that the upstream no longer accepts, nothing was executed, so the request is sent once more with a new one. */
  async send(request: (token: string) => Promise<Exchange>, logIn: () => Promise<Exchange>): Promise<Exchange> {
    for (let tries = 1; ; tries += 1) {
      const opened = await this.#token(logIn);
      if ('failed' in opened) return opened.failed;
      const exchange = await request(opened.token);
      if (exchange.kind !== 'answered' || !this.#parts.rules.isEnded(exchange)) return exchange;
      if (this.#held === opened) this.#held = undefined;
      await dropUpstreamToken(this.#db(), this.#parts.id, opened.encrypted);
      if (tries === 2) return exchange;
    }
  }

  #db() {
    return this.#parts.ctx.db.autocommit(allTenants);
  }

  async #token(logIn: () => Promise<Exchange>): Promise<Opened> {
    if (this.#held && this.#held.until > performance.now()) return this.#held;
    this.#opening ??= this.#open(logIn).finally(() => {
      this.#opening = undefined;
    });
    const opened = await this.#opening;
    if (!('failed' in opened)) this.#held = opened;
    return opened;
  }

  async #open(logIn: () => Promise<Exchange>): Promise<Opened> {
    const { id, ctx, loginMs } = this.#parts;
    const caller = ctx.ids.next('login');
    const giveUpAt = performance.now() + 2 * loginMs;
    for (;;) {
      const stored = await this.#stored();
      if (stored) return stored;
      if (await beginUpstreamLogin(this.#db(), id, caller, 2 * loginMs)) return this.#logIn(caller, logIn);
      if (performance.now() > giveUpAt)
        return { failed: { kind: 'unsent', why: 'the login of another process goes on' } };
      await sleep(pollMs);
    }
  }

  async #stored(): Promise<Held | undefined> {
    const { id, ctx } = this.#parts;
    const row = await readUpstreamToken(this.#db(), id);
    if (!row) return undefined;
    const { token_sealed: encrypted, valid_ms: validMs } = row;
    try {
      const token = ctx.vault.open(encrypted, context(id));
      return { token, encrypted, until: performance.now() + Math.min(validMs, readAgainMs) };
    } catch {
      // Encrypted with a key that is no longer there.
      await dropUpstreamToken(this.#db(), id, encrypted);
      return undefined;
    }
  }

  async #logIn(caller: string, logIn: () => Promise<Exchange>): Promise<Opened> {
    const { id, ctx, rules } = this.#parts;
    let opened: { readonly encrypted: string; readonly validMs: number } | undefined;
    try {
      const exchange = await logIn();
      const token = exchange.kind === 'answered' ? rules.read(exchange.body) : undefined;
      if (token === undefined) return { failed: withoutToken(exchange) };
      opened = { encrypted: ctx.vault.encrypt(token, context(id)), validMs: rules.validMs };
      return { token, encrypted: opened.encrypted, until: performance.now() + readAgainMs };
    } finally {
      await endUpstreamLogin(this.#db(), id, caller, opened);
    }
  }
}

const context = (id: string): string => `upstream_session:${id}`;

/** A lost login has no effect, so the request behind it was not sent. */
const withoutToken = (exchange: Exchange): Exchange =>
  exchange.kind === 'lost' ? { kind: 'unsent', why: `the login was not answered: ${exchange.text}` } : exchange;
