import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import {
  clientsOf,
  connectOwn,
  corkWrites,
  destroySocket,
  forgetPreparedStatements,
  isInTransaction,
  unrefSocket,
} from '../src/driver/driver.ts';

/** Each of these uses a part of `pg` that it does not declare. */
let pool: pg.Pool;
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: (await emptyDatabase()).url, max: 2 });
  pool.on('error', () => undefined);
});
afterAll(() => pool.end());

test('reports whether a connection is in a transaction', async () => {
  const client = await pool.connect();
  expect(isInTransaction(client)).toBe(false);
  await client.query('begin');
  expect(isInTransaction(client)).toBe(true);
  await client.query('rollback');
  expect(isInTransaction(client)).toBe(false);
  client.release();
});

test('prepares a statement again after the server has dropped it', async () => {
  const client = await pool.connect();
  const named = () => client.query({ name: 'one', text: 'select 1 as one' });
  await named();
  await client.query('discard all');
  await expect(named()).rejects.toMatchObject({ code: '26000' });
  forgetPreparedStatements(client);
  expect((await named()).rows).toEqual([{ one: 1 }]);
  client.release();
});

test('lends the preferred idle connection, else a new one, else the one that was idle longest', async () => {
  const first = await connectOwn(pool, 2, () => false);
  const second = await connectOwn(pool, 2, () => false);
  expect(second).not.toBe(first);
  expect(clientsOf(pool)).toEqual(expect.arrayContaining([first, second]));
  first.release();
  second.release();
  const own = await connectOwn(pool, 2, (client) => client === first);
  expect(own).toBe(first);
  own.release();
  const oldest = await connectOwn(pool, 2, () => false);
  expect(oldest).toBe(second);
  oldest.release();
});

test('joins writes, and closes a connection without waiting for the server', async () => {
  const client = await pool.connect();
  client.on('error', () => undefined);
  corkWrites(client);
  const answers = await Promise.all([client.query('select 1 as n'), client.query('select 2 as n')]);
  expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  unrefSocket(client);
  const slow = client.query('select pg_sleep(60)');
  destroySocket(client);
  await expect(slow).rejects.toThrow();
  client.release(true);
});
