import type pg from 'pg';
import type { Sql } from './sql.ts';

type Answers = PromiseSettledResult<pg.QueryResult>[];
type Send = (tenant: string, statements: readonly Sql[]) => Promise<Answers>;

interface First {
  readonly tenant: string;
  join(statement: Sql): Promise<pg.QueryResult>;
}

/**
 * Two reads of one tenant that are asked for at the same time share a connection: one write, one server process to wake, and a place left for others. Two
 * and not more: they are answered one after the other.
 */
export class ReadBatcher {
  readonly #send: Send;
  /** Asked for right now, and takes another one along. */
  #first: First | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  read(tenant: string, statement: Sql): Promise<pg.QueryResult> {
    const first = this.#first;
    this.#first = undefined;
    return first?.tenant === tenant ? first.join(statement) : this.#begin(tenant, statement);
  }

  /** `send` looks at the statements when it has a connection, which is never before this turn is over. */
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

/** One may fail and the other not; where none was answered it may be the connection's trouble. */
export async function settledAnswers(sent: readonly Promise<pg.QueryResult>[]): Promise<Answers> {
  const settled = await Promise.allSettled(sent);
  const [first] = settled;
  if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected')) throw first.reason;
  return settled;
}
