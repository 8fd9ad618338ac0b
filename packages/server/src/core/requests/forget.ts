import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { deleteEmptyBudgets } from './forget.sql.ts';

/** Budgets of callers that stayed away; a bucket that is empty is as good as none. */
export async function forgetBudgets(house: House): Promise<number> {
  return house.db.transaction(everyTenant, deleteEmptyBudgets);
}
