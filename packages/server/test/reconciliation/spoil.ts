import { allTenants, type Database, openDatabase, type Sql, sql } from '@namehold/postgres';

/** Changes rows as only the owner of a database can, past triggers and functions; and restores everything. */
export class Spoiler {
  readonly #db: Database;
  readonly #tables: readonly string[];

  /** Of each table those that can be written. */
  readonly #columns: ReadonlyMap<string, string>;

  private constructor(db: Database, columns: ReadonlyMap<string, string>) {
    this.#db = db;
    this.#tables = [...columns.keys()];
    this.#columns = columns;
  }

  static async open(url: string, tables: readonly string[]): Promise<Spoiler> {
    const db = openDatabase({ url, maxConnections: 1 });
    const columns = new Map<string, string>();
    for (const table of tables) {
      await db.autocommit(allTenants).run(sql`create table ${sql.raw(`kept_${table}`)} as table ${sql.raw(table)}`);
      const { list } = await db.as(allTenants).one<{ list: string }>(sql`
        select string_agg('"' || attname || '"', ', ' order by attnum) as list from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`);
      columns.set(table, list);
    }
    return new Spoiler(db, columns);
  }

  async change(...statements: Sql[]): Promise<void> {
    let changed = 0;
    await this.#db.transaction(allTenants, async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      for (const statement of statements) changed += await tx.run(statement);
    });
    // A change that affects no row would prove nothing.
    if (changed === 0) throw new Error(`nothing was changed by ${statements[0]?.text}`);
  }

  async putBack(): Promise<void> {
    await this.change(
      ...this.#tables.map((table) => sql`delete from ${sql.raw(table)}`),
      ...this.#tables.map((table) => {
        const columns = sql.raw(this.#columns.get(table)!);
        return sql`insert into ${sql.raw(table)} (${columns}) overriding system value select ${columns} from ${sql.raw(`kept_${table}`)}`;
      }),
    );
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}
