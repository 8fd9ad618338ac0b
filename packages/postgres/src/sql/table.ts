import { fixedSql, type Sql, sql } from './sql.ts';

/**
 * The PostgreSQL types that arrive as this type; a trailing `?` marks a nullable column. The compiler checks them against the row's
 * type.
 */
type SqlType<T> = [T] extends [Date]
  ? 'timestamptz'
  : [T] extends [boolean]
    ? 'boolean'
    : [T] extends [number]
      ? 'integer' | 'smallint'
      : [T] extends [string]
        ? 'text' | 'bigint' | 'numeric' | 'uuid' | 'date' | 'inet'
        : [T] extends [readonly string[]]
          ? 'text[]' | 'jsonb'
          : 'jsonb' | 'bytea';

type ColumnType<T> = null extends T ? `${SqlType<NonNullable<T>>}?` : SqlType<T>;

type Shape<Row> = { readonly [K in keyof Row]-?: ColumnType<Row[K]> };

type Writable<Row> = { readonly [K in keyof Row]?: Row[K] | Readonly<Row[K]> | Sql };

/**
 * The columns of a wide table as the code knows them. The compiler compares the shape with the row's type, and a test compares it with
 * information_schema. Select lists, inserts and updates are generated from it.
 */
export class Table<Row extends object, Hidden extends object = object> {
  readonly name: string;
  readonly shape: Readonly<Record<string, string>>;
  /** The columns of the row, as text. */
  readonly list: string;
  /** The same for `select ${t.columns} from ...`. */
  readonly columns: unknown;
  readonly #read: readonly string[];
  readonly #aliased = new Map<string, unknown>();

  /** `hidden`: columns that are written but never selected with the row (password hashes). */
  constructor(name: string, shape: Shape<Row>, hidden: Shape<Hidden> = {} as Shape<Hidden>) {
    this.name = name;
    this.shape = { ...shape, ...hidden } as Record<string, string>;
    this.#read = Object.keys(shape);
    this.list = this.#read.join(', ');
    this.columns = sql.raw(this.list);
  }

  /** With a table alias: `d.id, d.name`. */
  of(alias: string): unknown {
    return this.#aliased.getOrInsertComputed(alias, () =>
      sql.raw(this.#read.map((column) => `${alias}.${column}`).join(', ')),
    );
  }

  /** `tail` is our own text: the conflict action and the returning clause. */
  insert(row: Writable<Row & Hidden>, tail = ''): Sql {
    const columns = this.#named(row);
    const opening = `insert into ${this.name} (${columns.join(', ')}) values (`;
    const between = columns.slice(1).map(() => ', ');
    return fixedSql([opening, ...between, `) ${tail}`], this.#values(row, columns));
  }

  /** `a = $1, b = $2`, for an update's `set`. */
  set(changes: Writable<Row & Hidden>): Sql {
    const columns = this.#named(changes);
    const pieces = columns.map((column, at) => `${at === 0 ? '' : ', '}${column} = `);
    return fixedSql([...pieces, ''], this.#values(changes, columns));
  }

  /** `a = excluded.a, b = excluded.b`, for an insert's `on conflict ... do update set`. */
  excluded(changes: Writable<Row & Hidden>): string {
    return this.#named(changes)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ');
  }

  /** In the order of the shape, so that the same columns always give the same statement. */
  #named(row: object): string[] {
    const unknownColumns = Object.keys(row).filter((column) => !Object.hasOwn(this.shape, column));
    if (unknownColumns.length > 0) throw new TypeError(`${this.name} has no column ${unknownColumns.join(', ')}`);
    return Object.keys(this.shape).filter((column) => (row as Record<string, unknown>)[column] !== undefined);
  }

  /** JSON is sent as text: the driver would encode a JavaScript array as a PostgreSQL array. */
  #values(row: object, columns: readonly string[]): unknown[] {
    return columns.map((column) => {
      const value = (row as Record<string, unknown>)[column];
      return this.shape[column]!.startsWith('jsonb') && value !== null ? JSON.stringify(value) : value;
    });
  }
}
