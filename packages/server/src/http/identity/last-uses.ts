import { allTenants } from '@namehold/postgres';
import type { Logger } from 'pino';
import type { AppContext } from '../../core/app-context.ts';
import { recordUses } from '../../core/keys/key.sql.ts';
import { recordSessionUses } from '../../core/users/session.sql.ts';
import type { Identity } from '../authenticate.ts';

const flushMs = 5_000;

/** Last use of keys and sessions, with source address. Kept in memory and written in batches. */
export class LastUses {
  readonly #ctx: AppContext;
  readonly #logger: Logger;
  readonly #keys = new Map<string, { keyId: string; at: Date; address: string }>();
  readonly #sessions = new Map<string, { sessionId: string; at: Date; address: string }>();
  readonly #timer: NodeJS.Timeout;

  constructor(ctx: AppContext, logger: Logger) {
    this.#ctx = ctx;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.#flush(), flushMs).unref();
  }

  note({ keyId, user, address }: Identity): void {
    const at = this.#ctx.wall.now();
    if (keyId !== null) this.#keys.set(keyId, { keyId, at, address });
    if (user) this.#sessions.set(user.sessionId, { sessionId: user.sessionId, at, address });
  }

  async #flush(): Promise<void> {
    const [keys, sessions] = [[...this.#keys.values()], [...this.#sessions.values()]];
    this.#keys.clear();
    this.#sessions.clear();
    if (keys.length === 0 && sessions.length === 0) return;
    await this.#ctx.db
      .transaction(allTenants, async (tx) => {
        if (keys.length > 0) await recordUses(tx, keys);
        if (sessions.length > 0) await recordSessionUses(tx, sessions);
      })
      .catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'failed to record the last use of keys and sessions; will retry');
        // Kept for the next batch, unless there is a later use.
        for (const use of keys) this.#keys.getOrInsert(use.keyId, use);
        for (const use of sessions) this.#sessions.getOrInsert(use.sessionId, use);
      });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }
}
