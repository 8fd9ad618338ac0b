import { notFound } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { findOperation } from './operation.sql.ts';
import type { Operation } from './operation.ts';

export async function readOperation(house: House, actor: Actor, id: string): Promise<Operation> {
  const operation = await findOperation(house.db.as(actor.resellerId), actor.resellerId, id, actor.customerId);
  if (!operation) throw notFound('operation');
  return operation;
}
