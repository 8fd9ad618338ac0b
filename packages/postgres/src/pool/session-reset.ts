import type pg from 'pg';
import { forgetPreparedStatements } from '../driver/driver.ts';

/**
 * Like `discard all`, but keeps plans and the statements that this process prepared. Statements created by SQL text (`prepare`) are
 * dropped. If such text removed one of ours, its next use fails and is retried.
 */
const reset = `set session authorization default; reset all; close all; unlisten *; discard temp; discard sequences;
  do $$ declare foreign_name text; begin
    perform pg_catalog.pg_advisory_unlock_all();
    for foreign_name in select p.name from pg_catalog.pg_prepared_statements p where p.from_sql loop
      execute pg_catalog.format('deallocate %I', foreign_name);
    end loop;
  end $$`;

/** Removes session state that a tenant may have left on a connection. */
export class SessionReset {
  readonly #plansKeptMs: number;
  /** Since when each connection has kept its plans. */
  readonly #planning = new WeakMap<pg.ClientBase, number>();

  constructor(plansKeptMs: number) {
    this.#plansKeptMs = plansKeptMs;
  }

  /**
   * Planning is most of the work of a short request, so plans are kept. Plans made under one tenant's settings may be bad for others, so
   * they are dropped after a while.
   */
  reset(client: pg.ClientBase): Promise<unknown> {
    const at = performance.now();
    if (at - this.#planning.getOrInsertComputed(client, () => at) < this.#plansKeptMs) return client.query(reset);
    this.#planning.set(client, at);
    forgetPreparedStatements(client);
    return client.query('discard all');
  }
}
