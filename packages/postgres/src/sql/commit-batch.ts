import type { Tx } from '../database.ts';
import type { Sql } from './sql.ts';

/**
 * Collects rows in the order in which they are added and writes them together at the end of the transaction. For tables whose row locks
 * other transactions wait for.
 */
export class CommitBatch<Row> {
  readonly #rows = new WeakMap<Tx, Row[]>();
  readonly #write: (rows: readonly Row[]) => Sql;

  constructor(write: (rows: readonly Row[]) => Sql) {
    this.#write = write;
  }

  add(tx: Tx, row: Row): void {
    const gathered = this.#rows.get(tx);
    if (gathered) {
      gathered.push(row);
      return;
    }
    const rows = [row];
    this.#rows.set(tx, rows);
    tx.beforeCommit(() => this.#write(rows));
  }
}
