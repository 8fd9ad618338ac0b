import type { Actor, AppContext } from '../app-context.ts';
import type { Operation } from '../model/operation.ts';
import type { Listed, Page } from '../page.ts';
import { listOperationRows, type OperationFilter } from './list.sql.ts';

export async function listOperations(
  ctx: AppContext,
  actor: Actor,
  filter: Omit<OperationFilter, 'customerId'>,
  page: Page,
): Promise<Listed<Operation>> {
  const { resellerId, customerId } = actor;
  return listOperationRows(ctx.db.as(resellerId), resellerId, { ...filter, customerId }, page);
}
