import { allTenants } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { notFound } from '../../errors.ts';
import { findMove, listMoveRows, type MoveFilter } from './move.sql.ts';
import type { Move } from './move.ts';

/** The row is the giver's, so it is read on the second login; what is selected is what both sides may see. */
export async function readMove(ctx: AppContext, actor: Actor, id: string): Promise<Move> {
  const move = await findMove(ctx.db.as(allTenants), actor.resellerId, id);
  if (!move) throw notFound('move');
  return move;
}

export async function listMoves(
  ctx: AppContext,
  actor: Actor,
  filter: MoveFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: Move[]; total: number }> {
  return listMoveRows(ctx.db.as(allTenants), actor.resellerId, filter, page);
}
