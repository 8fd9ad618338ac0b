import type pg from 'pg';
import type { Autocommit, Reader } from '../handles.ts';
import type { Sql } from '../sql/sql.ts';

type Send = (statement: Sql) => Promise<pg.QueryResult>;

export function reader(send: Send): Reader {
  return {
    many: async <R extends object>(statement: Sql) => (await send(statement)).rows as R[],
    maybe: async <R extends object>(statement: Sql) => (await send(statement)).rows[0] as R | undefined,
    async one<R extends object>(statement: Sql) {
      const { rows } = await send(statement);
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}: ${statement.text.slice(0, 80)}`);
      return rows[0] as R;
    },
  };
}

export function writer(send: Send): Autocommit {
  return { ...reader(send), run: async (statement) => (await send(statement)).rowCount ?? 0 };
}
