import type { Actor, House } from '../house.ts';
import type { Listed, Page } from '../page.ts';
import { listOperationRows, type OperationFilter } from './list.sql.ts';
import type { Operation } from './operation.ts';

export async function listOperations(
  house: House,
  actor: Actor,
  filter: Omit<OperationFilter, 'customerId'>,
  page: Page,
): Promise<Listed<Operation>> {
  const { resellerId, customerId } = actor;
  return listOperationRows(house.db.as(resellerId), resellerId, { ...filter, customerId }, page);
}
