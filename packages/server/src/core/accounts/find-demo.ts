import { allTenants } from '@namehold/postgres';
import { operatorId } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { findActiveChild } from './first-accounts.sql.ts';

/** Refuses production mode with demo accounts: their keys were printed on a screen. */
export async function findDemoAccount(ctx: AppContext): Promise<string | undefined> {
  return findActiveChild(ctx.db.as(allTenants), operatorId, 'demo@reseller.example');
}
