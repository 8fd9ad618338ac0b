import pg from 'pg';
import type { Sql } from '../sql/sql.ts';

// `bigint` columns stay text. The driver's parser would return text as well, after a check of each digit.
pg.types.setTypeParser(20, (text) => text);

type Parse = (text: string) => unknown;
type MakeRow = (values: readonly (string | null)[]) => object;

/** The column description that the server sent for a statement. */
interface Columns {
  fields: readonly { readonly name: string }[];
  _parsers: readonly Parse[];
}

/** The parts of a connection and of a query that `pg` does not declare. */
interface Connection {
  readonly parsedStatements: object;
  describe(what: object): void;
}
interface Query extends pg.Submittable {
  name: string | undefined;
  values: readonly unknown[];
  callback: (error: Error | undefined, result: pg.QueryResult) => void;
  _result: Columns & { parseRow: MakeRow };
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: object): void;
}
const Query = pg.Query as unknown as new (text: string) => Query;

interface KnownStatement {
  readonly columns: Columns;
  readonly parseRow: MakeRow;
}
interface ConnectionStatements {
  readonly statements: Map<string, KnownStatement>;
  /** The same connection without the request for a column description. */
  readonly quiet: Connection;
}

/** Keyed by the connection's list of prepared statements, which a reset replaces. */
const statementsByConnection = new WeakMap<object, ConnectionStatements>();

function statementsOf(connection: Connection): ConnectionStatements {
  return statementsByConnection.getOrInsertComputed(connection.parsedStatements, () => ({
    statements: new Map(),
    quiet: Object.assign(Object.create(connection) as Connection, { describe: () => undefined }),
  }));
}

/**
 * Keyed by the columns, so that all rows of a statement have one object shape on every connection. This keeps code that reads them fast.
 */
const makers = new Map<string, MakeRow>();

/**
 * Compiles a row constructor as an object literal, which is faster than the driver's assignment by name. Column names come from our own
 * statements only.
 */
function rowMaker({ fields, _parsers: parsers }: Columns): MakeRow {
  const names = fields.map(({ name }) => JSON.stringify(name));
  const key = `${fields.map((field) => `${(field as unknown as { dataTypeID: number }).dataTypeID}`)} ${names}`;
  return makers.getOrInsertComputed(key, () => {
    const values = names.map((name, i) => `${name}: v[${i}] === null ? null : p[${i}](v[${i}])`);
    return new Function('p', `return (v) => ({ ${values.join(', ')} })`)(parsers) as MakeRow;
  });
}

/**
 * A query that requests the column description of a named statement once per connection. The server refuses to run a prepared statement
 * whose columns have changed, so the description stays valid.
 */
class PreparedQuery extends Query {
  #toRemember: Map<string, KnownStatement> | undefined;

  constructor({ text, values, name }: Sql) {
    super(text);
    this.values = values;
    this.name = name;
  }

  override prepare(connection: Connection): void {
    if (this.name === undefined) {
      super.prepare(connection);
      return;
    }
    const { statements, quiet } = statementsOf(connection);
    const known = statements.get(this.name);
    if (known) {
      Object.assign(this._result, known.columns);
      this._result.parseRow = known.parseRow;
      this._accumulateRows = true;
    } else this.#toRemember = statements;
    super.prepare(known ? quiet : connection);
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    if (!this.#toRemember) return;
    const { fields, _parsers } = this._result;
    const columns = { fields, _parsers };
    const parseRow = rowMaker(columns);
    this._result.parseRow = parseRow;
    this.#toRemember.set(this.name!, { columns, parseRow });
  }
}

export function runQuery<R extends object>(client: pg.ClientBase, statement: Sql): Promise<pg.QueryResult<R>> {
  return new Promise<pg.QueryResult<R>>((resolve, reject) => {
    const prepared = new PreparedQuery(statement);
    prepared.callback = (error, result) => (error ? reject(error) : resolve(result as pg.QueryResult<R>));
    client.query(prepared);
  }).catch((error: Error) => {
    // Like the driver: the stack trace leads to the caller, not to the socket.
    Error.captureStackTrace(error);
    throw error;
  });
}
