import type { Database, Tx } from './database.ts';
import { sql } from './sql.ts';

/** How often the server looks whether the client of a running statement is still there. */
const clientCheckMs = 1_000;

export class DeadlinePassed extends Error {
  constructor() {
    super('the deadline passed before the commit');
  }
}

/**
 * Transactions of work that computes for seconds between its statements. The server's usual limit on idle transactions would end
 * them in the middle, so they may last until the deadline instead, and none is committed after it: whoever waits for the work
 * can rely on its outcome.
 */
export function withDeadline(db: Database, msLeft: () => number): Database {
  return {
    ...db,
    transaction: (tenant, work, whom) =>
      db.transaction(
        tenant,
        async (tx) => {
          await keepAlive(tx, requireTime(msLeft()));
          const result = await work(tx);
          requireTime(msLeft());
          return result;
        },
        whom,
      ),
  };
}

function requireTime(ms: number): number {
  if (ms < 1) throw new DeadlinePassed();
  return ms;
}

/** A client that was killed does not leave its statement running. */
async function keepAlive(tx: Tx, ms: number): Promise<void> {
  const limit = String(Math.ceil(ms));
  await tx.run(sql`
    select set_config('statement_timeout', ${limit}, true), set_config('idle_in_transaction_session_timeout', ${limit}, true),
      set_config('client_connection_check_interval', ${String(clientCheckMs)}, true)`);
}
