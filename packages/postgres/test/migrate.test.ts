import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import { migrate, pendingMigrations, readSchema } from '../src/migrate.ts';

let folder: string;
let url: string;
let drop: () => Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'namehold-migrate-'));
  ({ url, drop } = await emptyDatabase('m'));
  file('0002_second.sql', `insert into log (what) values ('second')`);
  file('0001_first.sql', `create table log (id serial, what text); insert into log (what) values ('first')`);
  file('0010_tenth.sql', `insert into log (what) values ('tenth')`);
  file('notes.txt', 'not a migration');
  file('1_short.sql', 'not one either');
});
afterEach(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

/** A migration, or a file of the given subfolder. */
function file(name: string, text: string): void {
  const path = pathOf(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const pathOf = (name: string) => join(folder, name.includes('/') ? name : `migrations/${name}`);

async function read<T>(statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
  }
}

const log = async () => (await read<{ what: string }>('select what from log order by id')).map((row) => row.what);

describe('migrations', () => {
  test('run once each, in the order of their numbers', async () => {
    expect(await pendingMigrations(url, folder)).toEqual(['0001_first.sql', '0002_second.sql', '0010_tenth.sql']);
    expect(await migrate({ url, folder })).toEqual(['0001_first.sql', '0002_second.sql', '0010_tenth.sql']);
    expect(await log()).toEqual(['first', 'second', 'tenth']);
    expect(await migrate({ url, folder })).toEqual([]);
    expect(await pendingMigrations(url, folder)).toEqual([]);
    expect(await log()).toEqual(['first', 'second', 'tenth']);
  });

  test('stop at the given migration and continue from there', async () => {
    expect(await migrate({ url, folder, upTo: '0002_second.sql' })).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await pendingMigrations(url, folder)).toEqual(['0010_tenth.sql']);
    file('0011_last.sql', `insert into log (what) values ('last')`);
    expect(await migrate({ url, folder })).toEqual(['0010_tenth.sql', '0011_last.sql']);
  });

  test('stop the start and change nothing if an applied migration was edited', async () => {
    await migrate({ url, folder, upTo: '0002_second.sql' });
    file('0001_first.sql', 'drop table log');
    await expect(migrate({ url, folder })).rejects.toThrow(/0001_first\.sql was changed/);
    expect(await log()).toEqual(['first', 'second']);
    expect(await pendingMigrations(url, folder)).toEqual(['0010_tenth.sql']);
  });

  test('leave the database as it was if one of them fails', async () => {
    file('0003_broken.sql', `insert into log (what) values ('half'); select 1 / 0`);
    await expect(migrate({ url, folder })).rejects.toThrow(/0003_broken\.sql: division by zero/);
    expect(await read(`select to_regclass('log') as log, to_regclass('schema_migration') as made`)).toEqual([
      { log: null, made: null },
    ]);
    file('0003_broken.sql', `insert into log (what) values ('repaired')`);
    expect(await migrate({ url, folder })).toHaveLength(4);
    expect(await log()).toEqual(['first', 'second', 'repaired', 'tenth']);
  });

  test('change a table after rows with deferred triggers were written', async () => {
    file(
      '0003_deferred.sql',
      `create function noted() returns trigger language plpgsql as 'begin return null; end';
       create constraint trigger noted after insert on log deferrable initially deferred for each row execute function noted();
       insert into log (what) values ('deferred')`,
    );
    file('0004_column.sql', 'alter table log add column size integer');
    await migrate({ url, folder });
    expect(await log()).toEqual(['first', 'second', 'deferred', 'tenth']);
  });

  test('run once when five processes start at once', async () => {
    file('0002_second.sql', `select pg_sleep(0.2); insert into log (what) values ('second')`);
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate({ url, folder })));
    expect(applied.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql', '0010_tenth.sql']);
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await log()).toEqual(['first', 'second', 'tenth']);
  });

  test('reject on a lost connection, and finish at the next run', async () => {
    file('0003_ends.sql', 'select pg_terminate_backend(pg_backend_pid())');
    await expect(migrate({ url, folder })).rejects.toThrow(/0003_ends\.sql/);
    rmSync(pathOf('0003_ends.sql'));
    expect(await migrate({ url, folder })).toEqual(['0001_first.sql', '0002_second.sql', '0010_tenth.sql']);
  });

  test('can access data of every tenant', async () => {
    file('0003_tenant.sql', `insert into log (what) select current_setting('namehold.tenant')`);
    await migrate({ url, folder });
    expect(await log()).toEqual(['first', 'second', '*', 'tenth']);
  });

  test('have a checksum of their bytes', () => {
    const before = readSchema(folder).migrations.map((each) => each.checksum);
    file('0002_second.sql', `insert into log (what) values ('second') `);
    const after = readSchema(folder).migrations.map((each) => each.checksum);
    expect(after.map((sum, i) => sum === before[i])).toEqual([true, false, true]);
  });

  describe('an older release on a newer database', () => {
    const newer = `-- oldest release: 0.2.0\nalter table log add column size integer`;
    const asOlder = (release: string) => {
      rmSync(pathOf('0011_newer.sql'));
      return migrate({ url, folder, release });
    };

    test('starts if the newer migrations declare it compatible', async () => {
      file('0011_newer.sql', newer);
      await migrate({ url, folder, release: '0.3.0' });
      expect(await asOlder('0.2.0')).toEqual([]);
      expect(await log()).toEqual(['first', 'second', 'tenth']);
    });

    test.each(['0.1.0', '0.1.9'])('%s is refused with a message that says what to do', async (release) => {
      file('0011_newer.sql', newer);
      await migrate({ url, folder, release: '0.2.0' });
      await expect(asOlder(release)).rejects.toThrow(
        `(0011_newer.sql) so that only Namehold 0.2.0 and newer can work on it; this is ${release}. Start the newer release`,
      );
    });

    test.each(['0.2.0', '0.2.1', '0.10.0', '1.0.0'])(
      '%s is accepted, because it is not older than 0.2.0',
      async (release) => {
        file('0011_newer.sql', newer);
        await migrate({ url, folder, release: '0.2.0' });
        expect(await asOlder(release)).toEqual([]);
      },
    );

    test('accepts a database from before this declaration', async () => {
      await migrate({ url, folder });
      await read('alter table schema_migration drop column oldest_release, drop column release');
      expect(await migrate({ url, folder, release: '0.1.0' })).toEqual([]);
      file('0011_newer.sql', newer);
      expect(await migrate({ url, folder, release: '0.2.0' })).toEqual(['0011_newer.sql']);
      expect(await read('select distinct oldest_release from schema_migration order by 1')).toEqual([
        { oldest_release: '0.1.0' },
        { oldest_release: '0.2.0' },
      ]);
    });
  });

  describe('functions, triggers and policies', () => {
    const size = (n: number) =>
      `create or replace function size() returns integer language sql as 'select ${n} from later'`;
    beforeEach(async () => {
      file('functions/size.sql', size(1));
      file('policies/own.sql', 'drop policy if exists own on log; create policy own on log using (size() = 1)');
      file('0012_later.sql', 'create table later ()');
      await migrate({ url, folder });
    });
    const sizeNow = async () =>
      (await read<{ text: string }>(`select prosrc as text from pg_proc where proname = 'size'`))[0]!.text;

    test('are applied after the migrations, and again only if their file changed', async () => {
      expect(await pendingMigrations(url, folder)).toEqual([]);
      file('functions/size.sql', size(2));
      expect(await pendingMigrations(url, folder)).toEqual(['functions/size.sql']);
      expect(await migrate({ url, folder })).toEqual(['functions/size.sql']);
      expect(await sizeNow()).toBe('select 2 from later');
      expect(await migrate({ url, folder })).toEqual([]);
    });

    test('are replaced together with the migration that needs them, or not at all', async () => {
      file('0013_drop.sql', 'drop function size() cascade');
      file('functions/size.sql', 'create function size(');
      await expect(migrate({ url, folder })).rejects.toThrow(/functions\/size\.sql/);
      expect(await sizeNow()).toBe('select 1 from later');
    });

    test('does not replace definitions of a newer release when an older process starts again', async () => {
      file('functions/size.sql', size(3));
      await migrate({ url, folder, release: '0.3.0' });
      file('functions/size.sql', size(2));
      expect(await migrate({ url, folder, release: '0.2.9' })).toEqual([]);
      expect(await sizeNow()).toBe('select 3 from later');
      expect(await migrate({ url, folder, release: '0.3.0' })).toEqual(['functions/size.sql']);
    });
  });

  describe('with a baseline', () => {
    const baseline = () => {
      for (const name of ['0001_first.sql', '0002_second.sql', '0010_tenth.sql']) {
        rmSync(pathOf(name));
        file(`bridge/${name}`, former[name]!);
      }
      file('tables/01-log.sql', '-- oldest release: 0.2.0\ncreate table log (id serial, what text)');
      file('0011_new.sql', `insert into log (what) values ('new')`);
    };
    const former: Record<string, string> = {
      '0001_first.sql': `create table log (id serial, what text); insert into log (what) values ('first')`,
      '0002_second.sql': `insert into log (what) values ('second')`,
      '0010_tenth.sql': `insert into log (what) values ('tenth')`,
    };

    test('an empty database gets the tables and the migrations after them', async () => {
      baseline();
      expect(await migrate({ url, folder })).toEqual(['tables/01-log.sql', '0011_new.sql']);
      expect(await log()).toEqual(['new']);
    });

    test('an earlier database gets the migrations that it lacks, and its tables are only recorded', async () => {
      await migrate({ url, folder, upTo: '0002_second.sql' });
      baseline();
      expect(await pendingMigrations(url, folder)).toEqual(['0010_tenth.sql', 'tables/01-log.sql', '0011_new.sql']);
      expect(await migrate({ url, folder })).toEqual(['0010_tenth.sql', '0011_new.sql']);
      expect(await log()).toEqual(['first', 'second', 'tenth', 'new']);
      expect(await migrate({ url, folder })).toEqual([]);
    });

    test('an earlier release still starts on an upgraded database, and is refused on one that began with the tables', async () => {
      await migrate({ url, folder });
      baseline();
      await migrate({ url, folder, release: '0.2.0' });
      const { url: other, drop: dropOther } = await emptyDatabase('m');
      await migrate({ url: other, folder, release: '0.2.0' });
      for (const subfolder of ['tables', 'bridge', 'migrations']) rmSync(join(folder, subfolder), { recursive: true });
      for (const [name, text] of Object.entries(former)) file(name, text);
      expect(await migrate({ url, folder, release: '0.1.0' })).toEqual([]);
      await expect(migrate({ url: other, folder, release: '0.1.0' })).rejects.toThrow(
        '(tables/01-log.sql) so that only Namehold 0.2.0 and newer can work on it',
      );
      await dropOther();
    });
  });

  test('are repeated after a deadlock, which PostgreSQL ends by an error in one of the sessions', async () => {
    await read('create sequence tries');
    file(
      '0011_locks.sql',
      `do $$ begin if nextval('tries') < 3 then raise exception 'deadlock' using errcode = '40P01'; end if; end $$`,
    );
    expect(await migrate({ url, folder })).toHaveLength(4);
    expect(await log()).toEqual(['first', 'second', 'tenth']);
    expect(await read('select last_value::integer as n from tries')).toEqual([{ n: 3 }]);
  });
});
