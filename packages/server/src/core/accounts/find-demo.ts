import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { operatorId } from './account.ts';
import { findActiveChild } from './first-accounts.sql.ts';

/** Production mode: the accounts of a sandbox have keys that were printed on a screen. */
export async function findDemoAccount(house: House): Promise<string | undefined> {
  return findActiveChild(house.db.as(everyTenant), operatorId, 'demo@reseller.example');
}
