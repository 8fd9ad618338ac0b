import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import type { Operation } from '../model/operation.ts';
import { findOperation } from './operation.sql.ts';

export async function readOperation(ctx: AppContext, actor: Actor, id: string): Promise<Operation> {
  const operation = await findOperation(ctx.db.as(actor.resellerId), actor.resellerId, id, actor.customerId);
  if (!operation) throw notFound('operation');
  return operation;
}
