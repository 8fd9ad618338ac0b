import { everyTenant, sql } from '@namehold/base';
import type { House } from '../house.ts';
import { operatorId } from './account.ts';

/** Production mode: the accounts of a sandbox have keys that were printed on a screen. */
export async function findDemoAccount(house: House): Promise<string | undefined> {
  const found = await house.db.as(everyTenant).maybe<{ id: string }>(sql`
    select r.id from reseller r
    where r.parent_id = ${operatorId} and r.email = 'demo@reseller.example' and r.status = 'Active' and r.deleted_at is null`);
  return found?.id;
}
