import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import { type Autocommit, type Database, openDatabase, type Tx, violatedConstraint } from '../src/database.ts';
import { isConnectionLoss } from '../src/pool/connection-loss.ts';
import { CommitBatch } from '../src/sql/commit-batch.ts';
import { inSnapshot } from '../src/sql/snapshot.sql.ts';
import { sql } from '../src/sql/sql.ts';
import { allTenants } from '../src/tenants/tenant.ts';
import { openWire, type Wire } from './support/wire.ts';

let url: string;
let drop: () => Promise<void>;
let db: Database;

beforeAll(async () => {
  ({ url, drop } = await emptyDatabase('base'));
  db = openDatabase({ url, maxConnections: 4 });
  const admin = db.autocommit(allTenants);
  await admin.run(sql`create table item (id int primary key, owner text not null, n int not null check (n >= 0))`);
  await admin.run(sql`insert into item values (1, 'a', 10), (2, 'b', 20)`);
  await admin.run(sql`alter table item enable row level security`);
  await admin.run(sql`
    create policy own on item using (current_setting('namehold.tenant', true) in (owner, '*'))`);
  await admin.run(sql`drop role if exists base_test_role`);
  await admin.run(sql`create role base_test_role login`);
  await admin.run(sql`grant select, insert, update, delete on item to base_test_role`);
});
afterAll(async () => {
  await db.autocommit(allTenants).run(sql`drop owned by base_test_role`);
  await db.autocommit(allTenants).run(sql`drop role base_test_role`);
  await db.close();
  await drop();
});

const tenantOf = sql`select current_setting('namehold.tenant', true) as tenant`;

async function withWire(work: (wire: Wire, db: Database) => Promise<void>, maxConnections = 1): Promise<void> {
  const wire = await openWire(url);
  const through = openDatabase({ url: wire.url, maxConnections });
  try {
    await work(wire, through);
  } finally {
    await through.close().catch(() => undefined);
    await wire.close();
  }
}

test('ends a transaction that is idle too long and releases its locks', async () => {
  const others = openDatabase({ url, maxConnections: 2 });
  const still = openDatabase({ url, maxConnections: 1, idleInTransactionMs: 300 });
  const { promise: frozen, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
  const kept = still.transaction(allTenants, async (tx) => {
    await tx.run(sql`update item set n = 99 where id = 1`);
    hasLocked();
    await frozen;
    await tx.run(sql`update item set n = 98 where id = 1`);
  });
  await locked;
  // Waits for the row until the server has ended the idle transaction.
  expect(await others.transaction(allTenants, (tx) => tx.run(sql`update item set n = n where id = 1`))).toBe(1);
  goOn();
  await expect(kept).rejects.toSatisfy(isConnectionLoss);
  expect(await others.as(allTenants).one(sql`select n from item where id = 1`)).toEqual({ n: 10 });
  // A snapshot holds no locks and may be idle for longer.
  const [{ limit } = { limit: '' }] = await inSnapshot(still, (tx) =>
    tx.many<{ limit: string }>(sql`select current_setting('idle_in_transaction_session_timeout') as limit`),
  );
  expect(limit).toBe('1min');
  expect(
    (
      await still
        .as(allTenants)
        .one<{ now: string }>(sql`select current_setting('idle_in_transaction_session_timeout') as now`)
    ).now,
  ).toBe('300ms');
  await others.close();
  await still.close();
});

describe('the end of a transaction', () => {
  const gather = (db: Database, name: string) => {
    const written: string[][] = [];
    const rows = new CommitBatch<string>((all) => {
      written.push([...all]);
      return sql`update item set n = n + ${all.length} where id = 1`;
    });
    const work = (fails: boolean) =>
      db.transaction(name, async (tx) => {
        rows.add(tx, 'first');
        const { n } = await tx.one<{ n: number }>(sql`select n from item where id = 1`);
        rows.add(tx, 'second');
        if (fails) throw new Error('rolled back on purpose');
        return n;
      });
    return { written, work };
  };
  const count = async () => (await db.as(allTenants).one<{ n: number }>(sql`select n from item where id = 1`)).n;

  test('writes batched rows together and in order, or none', async () => {
    const before = await count();
    const { written, work } = gather(db, allTenants);
    expect(await work(false)).toBe(before);
    expect(await count()).toBe(before + 2);
    await expect(work(true)).rejects.toThrow('rolled back on purpose');
    expect(await count()).toBe(before + 2);
    expect(written).toEqual([['first', 'second']]);
    await db.autocommit(allTenants).run(sql`update item set n = ${before} where id = 1`);
  });

  test('rolls back and skips afterCommit if a batched row cannot be written', async () => {
    const before = await count();
    const committed: string[] = [];
    const change = (n: number) =>
      db.transaction(allTenants, async (tx) => {
        await tx.run(sql`update item set n = n + 1 where id = 1`);
        tx.afterCommit(() => committed.push(`by ${n}`));
        tx.beforeCommit(() => sql`update item set n = ${n} where id = 2`);
      });
    await expect(change(-1)).rejects.toThrow(/check constraint/);
    expect(await count()).toBe(before);
    expect(committed).toEqual([]);
    // A value that the driver may fail to encode.
    await expect(change({} as number)).rejects.toThrow(/not a plain value/);
    expect([await count(), ...committed]).toEqual([before]);
    await change(20);
    expect(await count()).toBe(before + 1);
    expect(committed).toEqual(['by 20']);
    await db.autocommit(allTenants).run(sql`update item set n = ${before} where id = 1`);
  });
});

describe('the tenant', () => {
  test('is set for every statement, whichever tenant used the connection before', async () => {
    const one = openDatabase({ url, maxConnections: 2 });
    const reads = Array.from({ length: 200 }, (_, i) => String(i % 7));
    const seen = await Promise.all(reads.map((tenant) => one.as(tenant).one<{ tenant: string }>(tenantOf)));
    expect(seen.map((row) => row.tenant)).toEqual(reads);
    await one.close();
  });

  test('gets its previous connection again while other tenants have theirs', async () => {
    const one = openDatabase({ url, maxConnections: 6 });
    const tenants = ['a', 'b'];
    const pidOf = async (tenant: string, seconds = 0) =>
      (await one.as(tenant).one<{ pid: number }>(sql`select pg_backend_pid() as pid from pg_sleep(${seconds})`)).pid;
    const first = await Promise.all(tenants.map((tenant) => pidOf(tenant, 0.2)));
    expect(new Set(first).size).toBe(2);
    for (let round = 0; round < 5; round++)
      for (const [place, tenant] of tenants.entries()) expect(await pidOf(tenant)).toBe(first[place]);
    // A tenant without one gets the connection that has been idle longest.
    await pidOf('b');
    expect(await pidOf('c')).toBe(first[0]);
    expect(await pidOf('b')).toBe(first[1]);
    await one.close();
  });

  test('applies to a whole transaction, and rows of other tenants are invisible', async () => {
    const guarded = openDatabase({ url: url.replace('postgres@', 'base_test_role@'), maxConnections: 2 });
    await guarded.transaction('a', async (tx) => {
      expect(tx.tenant).toBe('a');
      expect(await tx.many(sql`select id from item`)).toEqual([{ id: 1 }]);
      expect(await tx.run(sql`update item set n = 0 where id = 2`)).toBe(0);
    });
    expect(await guarded.as('b').many(sql`select id from item`)).toEqual([{ id: 2 }]);
    expect(await guarded.as('nobody').many(sql`select id from item`)).toEqual([]);
    expect(await guarded.as(allTenants).many(sql`select id from item order by id`)).toEqual([{ id: 1 }, { id: 2 }]);
    await guarded.close();
  });

  test('is set after a failed statement and a rolled back transaction on the same connection', async () => {
    const one = openDatabase({ url, maxConnections: 1 });
    await one.as('x').one(tenantOf);
    await expect(one.as('x').one(sql`select 1 / 0`)).rejects.toThrow(/division/);
    await expect(
      one.transaction('y', async (tx) => {
        await tx.one(sql`select set_config('namehold.tenant', 'intruder', false)`);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await one.as('y').one(tenantOf)).toEqual({ tenant: 'y' });
    expect(await one.as('x').one(tenantOf)).toEqual({ tenant: 'x' });
    await one.close();
  });
});

describe('round trips', () => {
  test('are one for a read of a new tenant', () =>
    withWire(async (wire, through) => {
      await through.as('first').one(tenantOf);
      const before = wire.turns();
      expect(await through.as('second').one(tenantOf)).toEqual({ tenant: 'second' });
      expect(wire.turns() - before).toBe(1);
    }));

  test('are shared by two concurrent reads of one tenant, which fail independently', () =>
    withWire(async (wire, through) => {
      const pid = sql`select pg_backend_pid() as pid, current_setting('namehold.tenant', true) as tenant`;
      const both = (tenant: string) => [through.as(tenant).one(pid), through.as(tenant).one(pid)] as const;
      await through.as('first').one(pid);
      const before = wire.turns();
      const [one, two] = await Promise.all(both('second'));
      expect(two).toEqual(one);
      expect(wire.turns() - before).toBe(1);
      const wrong = through.as('second').one(sql`select 1 / 0`);
      expect(await Promise.allSettled([wrong, through.as('second').one(pid)])).toMatchObject([
        { status: 'rejected', reason: { code: '22012' } },
        { status: 'fulfilled', value: one },
      ]);
      // Reads of other tenants, and a third read, use their own connection.
      const many = await Promise.all([...both('second'), ...both('third'), through.as('third').one(pid)]);
      expect(many.map((row) => (row as { tenant: string }).tenant)).toEqual([
        'second',
        'second',
        'third',
        'third',
        'third',
      ]);
      await expect(
        Promise.all([through.as('a').one(sql`select 1 / 0`), through.as('a').one(sql`select 2 / 0`)]),
      ).rejects.toThrow(/division/);
      expect(await through.as('a').one(tenantOf)).toEqual({ tenant: 'a' });
    }));

  test('are one for the commit, because begin and tenant are sent with the first statements', () =>
    withWire(async (wire, through) => {
      await through.as('first').one(tenantOf);
      const before = wire.turns();
      await through.transaction('second', async (tx) => {
        // Sent with the commit.
        tx.beforeCommit(() => sql`update item set n = n where id = 1`);
        await Promise.all([tx.one(tenantOf), tx.one(sql`select 1 as one`), tx.one(sql`select 2 as two`)]);
      });
      expect(wire.turns() - before).toBe(2);
    }));

  test('are one for an autocommit statement, including begin, commit and a new tenant', () =>
    withWire(async (wire, through) => {
      await through.as('first').one(tenantOf);
      const before = wire.turns();
      expect(await through.autocommit('second').run(sql`update item set n = n where id = 1`)).toBe(1);
      expect(wire.turns() - before).toBe(1);
    }));
});

const rename = (tx: Tx, owner: string) => tx.run(sql`update item set owner = ${owner} where id = 1`);
const note = (autocommit: Autocommit, n: number) => autocommit.run(sql`update item set n = ${n} where id = 1`);

describe('a reader', () => {
  test('is rejected by the compiler when it writes', async () => {
    const reader = db.as(allTenants);
    // @ts-expect-error a reader has no run
    expect(() => reader.run(sql`delete from item`)).toThrow(TypeError);
    // @ts-expect-error a reader is no transaction
    expect(() => rename(reader, 'x')).toThrow(TypeError);
    // @ts-expect-error nor one statement that is one
    expect(() => note(reader, 0)).toThrow(TypeError);
    // @ts-expect-error who needs a transaction is not content with statements that each are one
    const wanted: Tx = db.autocommit(allTenants);
    expect('seal' in wanted).toBe(false);
    await db.transaction(allTenants, (tx) => note(tx, 10));
  });

  test.each([
    sql`insert into item values (7, 'a', 1) returning id`,
    sql`with gone as (delete from item returning id) select id from gone`,
    sql`select id from item for update`,
    sql`do $$ begin delete from item; end $$`,
  ])('is refused by the server for $text', async (statement) => {
    const one = openDatabase({ url, maxConnections: 1 });
    const refused = (tenant: string) => expect(one.as(tenant).many(statement)).rejects.toMatchObject({ code: '25006' });
    await refused('a');
    await refused('b');
    await one.transaction('b', (tx) => tx.run(sql`update item set n = n`));
    await refused('b');
    await one.autocommit('b').run(sql`update item set n = n`);
    await refused(allTenants);
    await one.close();
    expect(await db.as(allTenants).many(sql`select id from item order by id`)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('is refused by the server with the all-tenants login too', async () => {
    const keyed = openDatabase({ url, allTenantsUrl: url, tenantKey: Buffer.alloc(32, 1), maxConnections: 1 });
    for (const tenant of [allTenants, 'a', allTenants, 'b'])
      await expect(keyed.as(tenant).many(sql`delete from item returning id`)).rejects.toMatchObject({ code: '25006' });
    await keyed.close();
  });
});

describe('a refused login', () => {
  test('is repaired once for all waiting callers and retried', async () => {
    const admin = db.autocommit(allTenants);
    await admin.run(sql`drop role if exists base_locked_role`);
    await admin.run(sql`create role base_locked_role nologin`);
    const locked = url.replace('postgres@', 'base_locked_role@');
    const helpless = openDatabase({
      url: locked,
      repairLogin: () => Promise.reject(new Error('repair failed on purpose')),
    });
    await expect(helpless.as('a').one(sql`select 1 as n`)).rejects.toMatchObject({ code: '28000' });
    await helpless.close();
    let repaired = 0;
    const repairLogin = async () => {
      repaired += 1;
      await admin.run(sql`alter role base_locked_role login`);
    };
    const one = openDatabase({ url: locked, maxConnections: 8, repairLogin });
    const reads = Array.from({ length: 8 }, () => one.as('a').one(sql`select 1 as n`));
    expect(await Promise.all(reads)).toEqual(Array(8).fill({ n: 1 }));
    expect(repaired).toBeGreaterThan(0);
    expect(repaired).toBeLessThan(8);
    await one.close();
    await admin.run(sql`drop role base_locked_role`);
  });
});

describe('an autocommit statement', () => {
  const pidOf = sql`select pg_backend_pid() as pid`;

  test('returns its rows and keeps the write', async () => {
    expect(await db.autocommit('a').maybe(sql`insert into item values (5, 'a', 5) returning n`)).toEqual({ n: 5 });
    expect(await db.as('a').maybe(sql`select n from item where id = 5`)).toEqual({ n: 5 });
    expect(await db.autocommit('a').run(sql`delete from item where id = 5`)).toBe(1);
  });

  test('fails as a whole and leaves the connection usable', async () => {
    const one = openDatabase({ url, maxConnections: 1 });
    const before = await one.as('a').one(pidOf);
    const wrong = one.autocommit('a').run(sql`with w as (update item set n = 0 where id = 1) select 1 / 0`);
    await expect(wrong).rejects.toThrow(/division/);
    expect(await one.as('a').one(sql`select n from item where id = 1`)).toEqual({ n: 10 });
    expect(await one.as('a').one(pidOf)).toEqual(before);
    await one.close();
  });

  test('fails if only its commit fails', async () => {
    await db.autocommit('a').run(sql`create table late (id int primary key deferrable initially deferred)`);
    await expect(db.autocommit('a').run(sql`insert into late values (1), (1)`)).rejects.toMatchObject({
      code: '23505',
    });
    await db.autocommit('a').run(sql`drop table late`);
  });
});

describe('statements', () => {
  test('plans statements with a name once per connection under this name', async () => {
    const one = openDatabase({ url, maxConnections: 1 });
    const find = (id: number) => sql`select n from item where id = ${id}`;
    for (const id of [1, 2, 1]) await one.as(allTenants).one(find(id));
    const plans = await one.as(allTenants).many<{ name: string; statement: string }>(sql`
      select name, statement from pg_prepared_statements where statement like 'select n from item%'`);
    expect(plans).toEqual([{ name: find(1).name, statement: 'select n from item where id = $1' }]);
    await one.close();
  });

  test('describes the columns of named statements once per connection, and again after a reset', async () => {
    const one = openDatabase({ url, maxConnections: 1 });
    const find = (id: number) =>
      sql`select id, owner, null as nothing, n, array[owner] as list from item where id = ${id}`;
    const rows = [];
    for (const tenant of ['a', 'a', 'b', 'b', 'a']) rows.push(await one.as(tenant).one(find(1)));
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set(['{"id":1,"owner":"a","nothing":null,"n":10,"list":["a"]}']),
    );
    // Also if the next query is sent before the first answer, and if a statement fails in between.
    const fails = sql`select 1 / (id - id) as n from item where id = ${1}`;
    for (let round = 0; round < 3; round++) {
      await expect(one.as('a').one(fails)).rejects.toThrow(/division/);
      const [first, second] = await Promise.all([one.as('a').one(find(1)), one.as('a').one(find(1))]);
      expect([first, second]).toEqual([rows[0], rows[0]]);
    }
    await one.close();
  });

  test('return instants as written, to the millisecond, in every time zone', async () => {
    const given = [
      '2026-11-17 14:22:53.123456+00',
      '1999-12-31 23:59:59.9+00',
      '2000-01-01 00:00:00+00',
      '0044-03-15 12:00:00+00',
      '12026-01-01 00:00:00.5+00',
    ];
    for (const zone of ['UTC', 'Asia/Jakarta', 'America/New_York', 'Asia/Kathmandu']) {
      const zoned = openDatabase({
        url: `${url}${url.includes('?') ? '&' : '?'}options=-c%20timezone%3D${zone}`,
        maxConnections: 1,
      });
      for (const text of given) {
        const { at, ms } = await zoned.as('a').one<{ at: Date; ms: string }>(sql`
          select ${text}::timestamptz as at, floor(extract(epoch from ${text}::timestamptz) * 1000)::bigint as ms`);
        expect(`${at.getTime()}`, `${text} in ${zone}`).toBe(ms);
      }
      await zoned.close();
    }
  });

  test('throw an error with the statement if `one` finds no row or two rows', async () => {
    await expect(db.as(allTenants).one(sql`select 1 where false`)).rejects.toThrow(/expected one row, got 0: select 1/);
    await expect(db.as(allTenants).one(sql`select generate_series(1, 2)`)).rejects.toThrow(/got 2/);
    expect(await db.as(allTenants).maybe(sql`select 1 where false`)).toBeUndefined();
  });

  test('return a date with its day, and a bigint with its last digit', async () => {
    const row = await db.as(allTenants).one(sql`select date '2028-02-29' as day, 9007199254740993::bigint as big`);
    expect(row).toEqual({ day: '2028-02-29', big: '9007199254740993' });
  });
});

describe('transactions', () => {
  const n = async (id: number) =>
    (await db.as(allTenants).one<{ n: number }>(sql`select n from item where id = ${id}`)).n;

  test('roll everything back after an error', async () => {
    const before = await n(1);
    await expect(
      db.transaction(allTenants, async (tx) => {
        await tx.run(sql`update item set n = n + 1 where id = 1`);
        throw new Error('rolled back on purpose');
      }),
    ).rejects.toThrow('rolled back on purpose');
    expect(await n(1)).toBe(before);
  });

  test('fail after a caught statement error instead of losing the change', async () => {
    const before = await n(1);
    const swallowed = db.transaction(allTenants, async (tx) => {
      await tx.run(sql`update item set n = n + 1 where id = 1`);
      await tx.run(sql`update item set n = -1 where id = 2`).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow(/rolled back/);
    expect(await n(1)).toBe(before);
  });

  test('refuse work that outlives them, and apply it to no other transaction', async () => {
    const one = openDatabase({ url, maxConnections: 1 });
    const late = Promise.withResolvers<unknown>();
    await one.transaction('a', async (tx) => {
      void sleep(20).then(() => late.resolve(tx.run(sql`update item set n = 0`).catch((error: unknown) => error)));
    });
    expect(String(await late.promise)).toMatch(/transaction is over/);
    expect(await n(2)).toBe(20);
    await one.close();
  });

  test('both commit after a deadlock between them', async () => {
    const [one, two] = [await n(1), await n(2)];
    const attempts: string[] = [];
    const gate = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
    const change = (who: 'first' | 'second', from: number, to: number) =>
      db.transaction(allTenants, async (tx) => {
        attempts.push(who);
        await tx.run(sql`update item set n = n - 1 where id = ${from}`);
        gate[who].resolve();
        await Promise.all([gate.first.promise, gate.second.promise]);
        await tx.run(sql`update item set n = n + 1 where id = ${to}`);
      });
    await Promise.all([change('first', 1, 2), change('second', 2, 1)]);
    // At least one was rolled back. In its retry it may lock its row again before the other continues, and deadlock once more.
    expect(attempts.length).toBeGreaterThanOrEqual(3);
    expect([await n(1), await n(2)]).toEqual([one, two]);
  });

  test('fail after five attempts at a lasting conflict', async () => {
    let tries = 0;
    await expect(
      db.transaction(allTenants, async (tx) => {
        tries += 1;
        await tx.run(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
      }),
    ).rejects.toMatchObject({ code: '40001' });
    expect(tries).toBe(5);
  });

  test('retry a row lock that times out, also in autocommit, and fail after five attempts', async () => {
    const limited = openDatabase({ url, maxConnections: 3, lockLimitMs: 50 });
    const [before, held, free] = [await n(1), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const keeper = db.transaction(allTenants, async (tx) => {
      await tx.run(sql`update item set n = n where id = 1`);
      held.resolve();
      await free.promise;
    });
    await held.promise;
    let [tries, isFreed] = [0, false];
    const more = (tx: Autocommit) => tx.run(sql`update item set n = n + 1 where id = 1`);
    const change = () =>
      limited.transaction(allTenants, async (tx) => {
        tries += 1;
        if (isFreed && tries === 3) {
          free.resolve();
          await keeper;
        }
        return more(tx);
      });
    await expect(change()).rejects.toMatchObject({ code: '55P03' });
    expect(tries).toBe(5);
    await expect(more(limited.autocommit(allTenants))).rejects.toMatchObject({ code: '55P03' });
    [tries, isFreed] = [0, true];
    expect([await change(), tries]).toEqual([1, 3]);
    expect(await more(limited.autocommit('a'))).toBe(1);
    expect(await n(1)).toBe(before + 2);
    await db.autocommit(allTenants).run(sql`update item set n = ${before} where id = 1`);
    await limited.close();
  });

  test('report and retry the first failure, whichever statement is awaited first', async () => {
    const late = async (work: Promise<unknown>) => await (async () => await work)();
    let tries = 0;
    const both = db.transaction(allTenants, (tx) => {
      tries += 1;
      const first = late(tx.run(sql`do $$ begin raise exception 'again' using errcode = '55P03'; end $$`));
      return Promise.all([tx.run(sql`select 1`), first]);
    });
    await expect(both).rejects.toMatchObject({ code: '55P03' });
    expect(tries).toBe(5);
  });

  test.each([allTenants, 'a', 'b'])('set the lock limit at every change of tenant: %s', async (tenant) => {
    const one = openDatabase({ url, maxConnections: 1 });
    await one.autocommit('x').run(sql`select set_config('lock_timeout', '0', false)`);
    const shown = await one.transaction(tenant, (tx) => tx.one(sql`select current_setting('lock_timeout') as shown`));
    expect(shown).toEqual({ shown: '2s' });
    await one.close();
  });

  test('return the name of the violated constraint', async () => {
    const caught = async (statement: ReturnType<typeof sql>) =>
      violatedConstraint(await db.transaction(allTenants, (tx) => tx.run(statement)).catch((error: unknown) => error));
    expect(await caught(sql`insert into item values (1, 'a', 1)`)).toBe('item_pkey');
    expect(await caught(sql`insert into item values (9, 'a', -1)`)).toBe('item_n_check');
    expect(await caught(sql`insert into item values (9, null, 1)`)).toBeUndefined();
  });
});

describe('a lost connection', () => {
  const classified = async (work: Promise<unknown>) => isConnectionLoss(await work.catch((error: unknown) => error));

  test('is reported as such, and the next call gets a new connection', () =>
    withWire(async (wire, through) => {
      await through.as('a').one(tenantOf);
      const slow = classified(through.as('a').one(sql`select pg_sleep(3000)`));
      const running = sql`select from pg_stat_activity where state = 'active' and query like '%pg_sleep(3000)%' and pid <> pg_backend_pid()`;
      await expect.poll(async () => (await db.as(allTenants).many(running)).length).toBe(1);
      wire.cut();
      expect(await slow).toBe(true);
      expect(await through.as('b').one(tenantOf)).toEqual({ tenant: 'b' });
    }));

  test('inside a transaction is not retried, because the commit may have succeeded', () =>
    withWire(async (wire, through) => {
      let tries = 0;
      const lost = classified(
        through.transaction('a', async (tx) => {
          tries += 1;
          await tx.one(tenantOf);
          wire.cut();
          await tx.one(tenantOf);
        }),
      );
      expect(await lost).toBe(true);
      expect(tries).toBe(1);
    }));

  test('is replaced in the pool after the server ended it', async () => {
    const one = openDatabase({ url, maxConnections: 1, applicationName: 'to-be-ended' });
    await one.as('a').one(tenantOf);
    const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to-be-ended'`;
    await db.as(allTenants).many(end);
    await sleep(50);
    const outcome = await one.as('b').one(tenantOf).catch(isConnectionLoss);
    expect([true, { tenant: 'b' }]).toContainEqual(outcome);
    expect(await one.as('c').one(tenantOf)).toEqual({ tenant: 'c' });
    const ended = classified(one.transaction('a', (tx) => tx.one(sql`select pg_terminate_backend(pg_backend_pid())`)));
    expect(await ended).toBe(true);
    expect(await one.as('d').one(tenantOf)).toEqual({ tenant: 'd' });
    await one.close();
  });

  test('is reported if no server listens', async () => {
    const nowhere = openDatabase({ url: 'postgres://x@127.0.0.1:1/x' });
    expect(await classified(nowhere.as('a').one(tenantOf))).toBe(true);
    await nowhere.close();
  });

  test.each([
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '25P03',
    '53300',
    '08006',
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
  ])('is recognised by the code %s', (code) =>
    expect(isConnectionLoss(Object.assign(new Error('x'), { code }))).toBe(true),
  );
  test.each(['57014', '40001', '40P01', '55P03', '23505', '22012', '42P01', ''])(
    'is not recognised by the code %j',
    (code) => expect(isConnectionLoss(Object.assign(new Error('x'), { code }))).toBe(false),
  );
});
