import type pg from 'pg';
import type { Sql } from '../sql/sql.ts';

type Answers = PromiseSettledResult<pg.QueryResult>[];
type Send = (tenant: string, statements: readonly Sql[]) => Promise<Answers>;

interface First {
  readonly tenant: string;
  join(statement: Sql): Promise<pg.QueryResult>;
}

/**
 * Sends two reads of one tenant from the same tick on one connection: one write, one server process, and one connection less in use. Not
 * more than two, because they are answered one after the other.
 */
export class ReadBatcher {
  readonly #send: Send;
  /** The read of the current tick that a second one can join. */
  #first: First | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  read(tenant: string, statement: Sql): Promise<pg.QueryResult> {
    const first = this.#first;
    this.#first = undefined;
    return first?.tenant === tenant ? first.join(statement) : this.#begin(tenant, statement);
  }

  /** `send` reads the list when it has a connection, which is never before the current tick ends. */
  #begin(tenant: string, statement: Sql): Promise<pg.QueryResult> {
    const statements = [statement];
    const answers = this.#send(tenant, statements);
    const first: First = {
      tenant,
      join(second) {
        statements.push(second);
        return answers.then((all) => answered(all[1]!));
      },
    };
    this.#first = first;
    queueMicrotask(() => {
      if (this.#first === first) this.#first = undefined;
    });
    return answers.then((all) => answered(all[0]!));
  }
}

function answered<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** One read may fail alone. If all failed, the connection may be the cause, and the error is thrown. */
export async function settledAnswers(sent: readonly Promise<pg.QueryResult>[]): Promise<Answers> {
  const settled = await Promise.allSettled(sent);
  const [first] = settled;
  if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected')) throw first.reason;
  return settled;
}
