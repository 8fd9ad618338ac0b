import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { startTestService } from '../../../../test/support/service.ts';
import { release } from '../../src/release.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeEach(async () => {
  database = await migratedDatabase();
});
afterEach(() => database.drop());

/** The database after a later release: another table, another column, and the minimum release that may run. */
async function migratedByNewer(oldest: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('create table of_tomorrow (id bigint)');
  await client.query(`alter table domain add column of_tomorrow text not null default ''`);
  await client.query('alter table customer add column of_tomorrow jsonb');
  await client.query(
    `insert into schema_migration (name, checksum, oldest_release) values ('9000_tomorrow.sql', 'x', $1)`,
    [oldest],
  );
  await client.end();
}

test('serves requests with the previous release on the schema of the next one', async () => {
  await migratedByNewer(release);
  const t = await startTestService({ databaseUrl: database.url });
  try {
    const listed = await t.call('GET', '/v1/customers');
    expect(listed.status).toBe(200);
    expect(JSON.stringify(listed.body)).not.toContain('of_tomorrow');
    expect((await t.call('GET', `/v1/customers/${await makeCustomer(t)}`)).status).toBe(200);
  } finally {
    await t.stop();
  }
});

test('refuses to start a release that is too old for the schema, with the reason', async () => {
  await migratedByNewer('99.0.0');
  await expect(startTestService({ databaseUrl: database.url })).rejects.toThrow(
    `only Namehold 99.0.0 and newer can work on it; this is ${release}`,
  );
});
