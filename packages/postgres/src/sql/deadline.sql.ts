import type { Database, Tx } from '../database.ts';
import { sql } from './sql.ts';

/** How often the server checks whether the client of a running statement is still connected. */
const clientCheckMs = 1_000;

export class DeadlinePassed extends Error {
  constructor() {
    super('the deadline passed before the commit');
  }
}

/**
 * For work that computes for seconds between its statements. The server's usual limit on idle transactions would end them in the middle,
 * so they may idle until the deadline instead. None is committed after the deadline, so that a caller that waits for the work knows its
 * outcome.
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

/** The statement of a client that was killed is ended. */
async function keepAlive(tx: Tx, ms: number): Promise<void> {
  const limit = String(Math.ceil(ms));
  await tx.run(sql`
    select set_config('statement_timeout', ${limit}, true), set_config('idle_in_transaction_session_timeout', ${limit}, true),
      set_config('client_connection_check_interval', ${String(clientCheckMs)}, true)`);
}
