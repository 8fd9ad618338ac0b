import type { Reader, Sql } from '@namehold/postgres';
import { findReseller } from '../../packages/server/src/core/accounts/account.sql.ts';
import { listCustomers } from '../../packages/server/src/core/customers/customer.sql.ts';
import { findKey } from '../../packages/server/src/core/keys/key.sql.ts';

/** Records the statements that a use case sends to the database. */
async function caught(work: (db: Reader) => Promise<unknown>): Promise<Sql[]> {
  const seen: Sql[] = [];
  const note = (statement: Sql) => {
    seen.push(statement);
    return Promise.resolve([]);
  };
  const db = {
    many: note,
    maybe: async (s: Sql) => void note(s),
    one: async (s: Sql) => void note(s),
    run: async (s: Sql) => void note(s),
  };
  await work(db as unknown as Reader);
  return seen;
}

export async function profileStatements(resellerId: string, keyId: string): Promise<Sql[]> {
  return caught((db) => Promise.all([findReseller(db, resellerId, resellerId), findKey(db, resellerId, keyId)]));
}

export async function customerStatements(resellerId: string): Promise<Sql[]> {
  return caught((db) => listCustomers(db, resellerId, {}, { limit: 100, offset: 0 }));
}
