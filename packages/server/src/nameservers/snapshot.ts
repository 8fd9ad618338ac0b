import { type Database, everyTenant, sql, type Tx } from '@namehold/base';

/** Everything read inside is of one moment, however many statements it takes. */
export function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(everyTenant, async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    return work(tx);
  });
}
