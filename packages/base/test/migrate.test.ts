import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import { migrate, pendingMigrations, readMigrations } from '../src/migrate.ts';

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

const file = (name: string, text: string) => writeFileSync(join(folder, name), text);

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

  test('leave nothing of a failed migration and keep the earlier ones', async () => {
    file('0003_broken.sql', `insert into log (what) values ('half'); select 1 / 0`);
    await expect(migrate({ url, folder })).rejects.toThrow(/0003_broken\.sql: division by zero/);
    expect(await log()).toEqual(['first', 'second']);
    file('0003_broken.sql', `insert into log (what) values ('repaired')`);
    expect(await migrate({ url, folder })).toEqual(['0003_broken.sql', '0010_tenth.sql']);
    expect(await log()).toEqual(['first', 'second', 'repaired', 'tenth']);
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
    rmSync(join(folder, '0003_ends.sql'));
    expect(await migrate({ url, folder })).toEqual(['0010_tenth.sql']);
  });

  test('can access data of every tenant', async () => {
    file('0003_tenant.sql', `insert into log (what) select current_setting('namehold.tenant')`);
    await migrate({ url, folder });
    expect(await log()).toEqual(['first', 'second', '*', 'tenth']);
  });

  test('have a checksum of their bytes', () => {
    const before = readMigrations(folder).map((each) => each.checksum);
    file('0002_second.sql', `insert into log (what) values ('second') `);
    const after = readMigrations(folder).map((each) => each.checksum);
    expect(after.map((sum, i) => sum === before[i])).toEqual([true, false, true]);
  });

  describe('an older release on a newer database', () => {
    const newer = `-- oldest release: 0.2.0\nalter table log add column size integer`;
    const asOlder = (release: string) => {
      rmSync(join(folder, '0011_newer.sql'));
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
      await read('alter table schema_migration drop column oldest_release');
      expect(await migrate({ url, folder, release: '0.1.0' })).toEqual([]);
      expect(await read('select distinct oldest_release from schema_migration')).toEqual([{ oldest_release: '0.1.0' }]);
    });
  });
});
