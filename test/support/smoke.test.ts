import { everyTenant, openDatabase, sql } from '@namehold/base';
import { expect, test } from 'vitest';
import { migratedDatabase } from './database.ts';

test('a migrated database is cloned, and the service role sees nothing without a tenant', async () => {
  const database = await migratedDatabase();
  const db = openDatabase({ url: database.url, role: 'namehold_app' });
  const own = await db.as(everyTenant).one<{ user: string }>(sql`select current_user as user`);
  expect(own.user).toBe('namehold_app');
  await db.close();
  await database.drop();
});
