import type { Actor, House } from '../house.ts';
import { listOperationRows, type OperationFilter } from './list.sql.ts';
import type { Operation } from './operation.ts';

export async function listOperations(
  house: House,
  actor: Actor,
  filter: OperationFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: Operation[]; total: number }> {
  return listOperationRows(house.db.as(actor.resellerId), actor.resellerId, filter, page);
}
