import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { notFound } from '../../errors.ts';
import { findMove, listMoveRows, type MoveFilter } from './move.sql.ts';
import type { Move } from './move.ts';

/**
 * The row belongs to the current reseller, so it is read with the login that bypasses row-level security; only columns that both sides
 * may see are selected.
 */
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
