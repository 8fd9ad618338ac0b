import { allTenants, sql } from '@namehold/postgres';
import { expect, test } from 'vitest';
import { migratedDatabase, openRestricted } from './database.ts';

test('clones a migrated database with separate logins for requests and background jobs', async () => {
  const database = await migratedDatabase();
  const db = await openRestricted(database.url);
  const who = sql`select session_user as login, current_user as user`;
  expect(await db.as('1').one(who)).toEqual({ login: 'namehold_app', user: 'namehold_app' });
  expect(await db.as(allTenants).one(who)).toEqual({ login: 'namehold_clockwork', user: 'namehold_clockwork' });
  await db.close();
  await database.drop();
});
