import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import { type Database, openDatabase } from '../src/database.ts';
import { DeadlinePassed, withDeadline } from '../src/sql/deadline.sql.ts';
import { sql } from '../src/sql/sql.ts';
import { allTenants } from '../src/tenants/tenant.ts';

const idleLimitMs = 100;

let db: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const made = await emptyDatabase('deadline');
  drop = made.drop;
  db = openDatabase({ url: made.url, maxConnections: 2, idleInTransactionMs: idleLimitMs });
  await db.autocommit(allTenants).run(sql`create table item (n int)`);
});
afterAll(async () => {
  await db.close();
  await drop();
});

const items = () => db.as(allTenants).many(sql`select n from item order by n`);
const limits = sql`
  select current_setting('idle_in_transaction_session_timeout') as idle, current_setting('statement_timeout') as statement`;

describe('withDeadline', () => {
  test('keeps a transaction alive that is idle for longer than the usual limit', async () => {
    const patient = withDeadline(db, () => 60_000);
    await patient.transaction(allTenants, async (tx) => {
      await tx.run(sql`insert into item values (1)`);
      await sleep(3 * idleLimitMs);
      await tx.run(sql`insert into item values (2)`);
    });
    expect(await items()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('restores the usual limits of the connection after the transaction', async () => {
    const patient = withDeadline(db, () => 60_000);
    expect(await patient.transaction(allTenants, (tx) => tx.one(limits))).toEqual({ idle: '1min', statement: '1min' });
    expect(await db.as(allTenants).one(limits)).toEqual({ idle: '100ms', statement: '30s' });
  });

  test('commits nothing when the deadline passed during the work', async () => {
    let left = 60_000;
    const patient = withDeadline(db, () => left);
    const late = patient.transaction(allTenants, async (tx) => {
      await tx.run(sql`insert into item values (3)`);
      left = 0;
    });
    await expect(late).rejects.toBeInstanceOf(DeadlinePassed);
    expect(await items()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('ends a statement that reaches the deadline', async () => {
    const patient = withDeadline(db, () => 50);
    await expect(patient.transaction(allTenants, (tx) => tx.run(sql`select pg_sleep(60)`))).rejects.toMatchObject({
      code: '57014',
    });
  });
});
