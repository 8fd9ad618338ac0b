import { allTenants } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { operatorId } from './account.ts';
import { findActiveChild } from './first-accounts.sql.ts';

/** Production mode: the accounts of a sandbox have keys that were printed on a screen. */
export async function findDemoAccount(ctx: AppContext): Promise<string | undefined> {
  return findActiveChild(ctx.db.as(allTenants), operatorId, 'demo@reseller.example');
}
