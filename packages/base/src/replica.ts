import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionLoss } from './connection-loss.ts';
import { hasReached, type Position, primaryPosition } from './replica.sql.ts';
import type { Sql } from './sql.ts';

/** A standby, as this file sees it. */
interface Standby {
  /** Sends both at once; undefined: the condition does not hold, and what the statement said does not count. */
  readIf(condition: Sql, statement: Sql): Promise<pg.QueryResult | undefined>;
}

/** Having found it behind or away, everybody reads at the primary for so long. */
const restMs = { behind: 500, away: 5_000 };
const firstPauseMs = 4;

/**
 * Reads at a standby what the primary would have said: first the primary is asked how far it has come, and the standby's answer counts only if it had come as
 * far. So nobody misses what he wrote before, by whichever process, and nothing has to be remembered of anybody.
 */
export class Replica {
  readonly #readPosition: () => Promise<Position>;
  readonly #waitMs: number;
  readonly #onUnavailable: (error: Error) => void;
  #pendingPosition: Promise<Position> | undefined;
  #nextPosition: Promise<Position> | undefined;
  #restsUntil = 0;
  #isAway = false;

  constructor(
    primary: (statement: Sql) => Promise<pg.QueryResult>,
    settings: { waitMs: number; onUnavailable?: ((error: Error) => void) | undefined },
  ) {
    this.#readPosition = async () => (await primary(primaryPosition)).rows[0] as Position;
    this.#waitMs = settings.waitMs;
    this.#onUnavailable = settings.onUnavailable ?? (() => undefined);
  }

  /** Undefined: it is behind or away, and the primary is to be read. */
  async read(standby: Standby, statement: Sql): Promise<pg.QueryResult | undefined> {
    if (performance.now() < this.#restsUntil) return undefined;
    const condition = hasReached(await this.#position());
    const since = performance.now();
    try {
      for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
        const result = await standby.readIf(condition, statement);
        this.#isAway = false;
        if (result) return result;
        if (performance.now() + pauseMs - since > this.#waitMs) break;
        await sleep(pauseMs);
      }
      this.#rest(restMs.behind);
    } catch (error) {
      // A statement that is wrong is so at the primary too, and one that replay got in the way of is answered there.
      if (!isConnectionLoss(error) && error instanceof pg.DatabaseError) return undefined;
      this.#rest(restMs.away);
      if (!this.#isAway) this.#onUnavailable(error as Error);
      this.#isAway = true;
    }
    return undefined;
  }

  #rest(ms: number): void {
    this.#restsUntil = performance.now() + ms;
  }

  /** One question for all who come while another is under way; that one may have been answered before they came. */
  #position(): Promise<Position> {
    if (this.#pendingPosition) {
      this.#nextPosition ??= this.#pendingPosition
        .catch(() => undefined)
        .then(() => {
          this.#nextPosition = undefined;
          return this.#position();
        });
      return this.#nextPosition;
    }
    const pendingPosition = this.#readPosition().finally(() => {
      this.#pendingPosition = undefined;
    });
    this.#pendingPosition = pendingPosition;
    return pendingPosition;
  }
}
