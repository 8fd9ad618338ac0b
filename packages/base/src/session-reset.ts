import type pg from 'pg';

/**
 * All that `discard all` does, but for the plans, and for the statements that we prepared: the server knows which came by a `prepare` of somebody's text.
 * Those of ours that such a text has removed are missed when they are wanted.
 */
const reset = `set session authorization default; reset all; close all; unlisten *; discard temp; discard sequences;
  do $$ declare foreign_name text; begin
    perform pg_catalog.pg_advisory_unlock_all();
    for foreign_name in select p.name from pg_catalog.pg_prepared_statements p where p.from_sql loop
      execute pg_catalog.format('deallocate %I', foreign_name);
    end loop;
  end $$`;

/** What the driver believes to be prepared; it does not declare it. */
interface Wire {
  readonly connection: { parsedStatements: object; submittedNamedStatements: object };
}

/** Takes from a connection what its tenant may have left there. */
export class SessionReset {
  readonly #plansKeptMs: number;
  /** Since when each keeps its plans. */
  readonly #planning = new WeakMap<pg.ClientBase, number>();

  constructor(plansKeptMs: number) {
    this.#plansKeptMs = plansKeptMs;
  }

  /** Plans are most of the work of a short request. Under one tenant's settings they may have become bad ones for all others: so not for long. */
  reset(client: pg.ClientBase): Promise<unknown> {
    const at = performance.now();
    if (at - this.#planning.getOrInsertComputed(client, () => at) < this.#plansKeptMs) return client.query(reset);
    this.#planning.set(client, at);
    const { connection } = client as unknown as Wire;
    connection.parsedStatements = {};
    connection.submittedNamedStatements = {};
    return client.query('discard all');
  }
}
