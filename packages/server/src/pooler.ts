import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { SettingError } from './config.ts';

const looks = 5;

/**
 * A pooler that gives each transaction another server mixes up what belongs to a session, above all whose rows a statement sees. True: a
 * session of `one` is not its own. `other` is a second connection to the same address.
 */
async function sharesSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  // Two servers are behind it from here on, so that one can be taken for the other.
  await Promise.all([one.query('begin'), other.query('begin')]);
  await Promise.all([one.query('commit'), other.query('commit')]);
  const mark = randomUUID();
  await one.query(`select set_config('namehold.session', $1, false)`, [mark]);
  // Whoever comes next gets the server that was left last; with this one taken, `one` has to do with another.
  await other.query('begin');
  for (let look = 0; look < looks; look++) {
    const asked = `select current_setting('namehold.session', true) is not distinct from $1 as mine`;
    if (!(await one.query<{ mine: boolean }>(asked, [mark])).rows[0]!.mine) return true;
  }
  await other.query('commit');
  return false;
}

/** Before anybody's rows are read over it. `connect` opens another connection to the address of `one`. */
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
    `the address of ${login} leads to a pooler that shares sessions between transactions (pool_mode = transaction): set pool_mode = session for this login, or use an address that bypasses the pooler`,
  );
}
