import { type Database, everyTenant, openDatabase, type Sql, sql } from '@namehold/base';

/** Changes rows as nobody but the owner of a database can, past triggers and functions; and puts everything back. */
export class Spoiler {
  readonly #db: Database;
  readonly #tables: readonly string[];

  private constructor(db: Database, tables: readonly string[]) {
    this.#db = db;
    this.#tables = tables;
  }

  static async open(url: string, tables: readonly string[]): Promise<Spoiler> {
    const db = openDatabase({ url, maxConnections: 1 });
    for (const table of tables)
      await db.alone(everyTenant).run(sql`create table ${sql.raw(`kept_${table}`)} as table ${sql.raw(table)}`);
    return new Spoiler(db, tables);
  }

  async change(...statements: Sql[]): Promise<void> {
    let changed = 0;
    await this.#db.transaction(everyTenant, async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      for (const statement of statements) changed += await tx.run(statement);
    });
    // An injection that hits nothing would prove nothing.
    if (changed === 0) throw new Error(`nothing was changed by ${statements[0]?.text}`);
  }

  async putBack(): Promise<void> {
    await this.change(
      ...this.#tables.map((table) => sql`delete from ${sql.raw(table)}`),
      ...this.#tables.map(
        (table) => sql`insert into ${sql.raw(table)} overriding system value select * from ${sql.raw(`kept_${table}`)}`,
      ),
    );
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}
