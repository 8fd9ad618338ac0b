import type { Database } from '../database.ts';

/** The same database. Accounts with the same `top` together use a limited share of the writing connections. */
export const chargedTo = (db: Database, top: string): Database => ({
  ...db,
  transaction: (tenant, work, whom) => db.transaction(tenant, work, { ...whom, top }),
});
