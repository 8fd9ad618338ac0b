import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { SettingError } from './config.ts';

const attempts = 5;

/**
 * Detects a pooler in transaction mode, which mixes session state such as the tenant of a statement. True: a session of `one` is shared.
 * `other` is a second connection to the same address.
 */
async function sharesSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  // Makes the pooler open two server connections, so that they can be mixed.
  await Promise.all([one.query('begin'), other.query('begin')]);
  await Promise.all([one.query('commit'), other.query('commit')]);
  const mark = randomUUID();
  await one.query(`select set_config('namehold.session', $1, false)`, [mark]);
  // A pooler assigns the most recently used server connection; while `other` holds it, `one` gets another.
  await other.query('begin');
  for (let attempt = 0; attempt < attempts; attempt++) {
    const query = `select current_setting('namehold.session', true) is not distinct from $1 as mine`;
    if (!(await one.query<{ mine: boolean }>(query, [mark])).rows[0]!.mine) return true;
  }
  await other.query('commit');
  return false;
}

/** Runs before tenant data is read over the connection. `connect` opens another connection to the address of `one`. */
export async function refuseSharedSessions(
  login: string,
  one: pg.Client,
  connect: () => Promise<pg.Client>,
): Promise<void> {
  const other = await connect();
  try {
    if (!(await sharesSessions(one, other))) return;
  } finally {
    other.end().catch(() => undefined);
  }
  throw new SettingError(
    `the URL of ${login} points to a pooler that shares sessions between transactions (pool_mode = transaction): set pool_mode = session for it, or use an address without the pooler`,
  );
}
