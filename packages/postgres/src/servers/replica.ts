import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionLoss } from '../pool/connection-loss.ts';
import type { Sql } from '../sql/sql.ts';
import { hasReached, type Position, primaryPosition } from './replica.sql.ts';

/** The part of a standby that this file uses. */
interface Standby {
  /** Sends both at once. Undefined: the condition does not hold and the result does not count. */
  readIf(condition: Sql, statement: Sql): Promise<pg.QueryResult | undefined>;
}

/** After a standby was behind or unavailable, all reads go to the primary for this long. */
const restMs = { behind: 500, away: 5_000 };
const firstPauseMs = 4;

/**
 * Reads from a standby with the result that the primary would give. The primary's WAL position is queried first, and the standby's
 * answer counts only if it has replayed up to that position. So every caller sees its own earlier writes, whichever process made them,
 * without state per caller.
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

  /** Undefined: the standby is behind or unavailable; read from the primary. */
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
      // An invalid statement fails on the primary too, and one that conflicted with replay succeeds there.
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

  /** Callers that arrive during a position query share the next one: the running query may have been answered before they arrived. */
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
