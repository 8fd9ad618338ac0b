import pg from 'pg';
import { streamOf } from './heartbeat.ts';
import type { Sql } from './sql.ts';

// Text to the driver too, after a look at each of its digits.
pg.types.setTypeParser(20, (text) => text);

type Parse = (text: string) => unknown;
type MakeRow = (values: readonly (string | null)[]) => object;

/** What the server said of the columns of a statement. */
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
  /** The same connection, which does not ask for the columns again. */
  readonly quiet: Connection;
}

/** By the list of what is prepared there: whoever wipes a connection gives it a new one. */
const statementsByConnection = new WeakMap<object, ConnectionStatements>();

function statementsOf(connection: Connection): ConnectionStatements {
  return statementsByConnection.getOrInsertComputed(connection.parsedStatements, () => ({
    statements: new Map(),
    quiet: Object.assign(Object.create(connection) as Connection, { describe: () => undefined }),
  }));
}

/** By the columns, so that the rows of a statement look the same whichever connection they came by: code that reads them stays fast. */
const makers = new Map<string, MakeRow>();

/** The driver puts a row together name by name; written out as an object once and for all it takes less. Names are of our own statements. */
function rowMaker({ fields, _parsers: parsers }: Columns): MakeRow {
  const names = fields.map(({ name }) => JSON.stringify(name));
  const key = `${fields.map((field) => `${(field as unknown as { dataTypeID: number }).dataTypeID}`)} ${names}`;
  return makers.getOrInsertComputed(key, () => {
    const values = names.map((name, i) => `${name}: v[${i}] === null ? null : p[${i}](v[${i}])`);
    return new Function('p', `return (v) => ({ ${values.join(', ')} })`)(parsers) as MakeRow;
  });
}

/**
 * A statement on its way. The columns of a named one are asked for once a connection: they stay what they were for as long as it is prepared there, since the
 * server refuses to run one whose columns have changed.
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
    // As the driver does it: the stack leads to whoever asked, not to the socket.
    Error.captureStackTrace(error);
    throw error;
  });
}

/** What is sent before this turn is over; the driver would write each statement by itself. */
export function corkWrites(client: pg.ClientBase): void {
  const stream = streamOf(client);
  stream.cork();
  process.nextTick(() => stream.uncork());
}
