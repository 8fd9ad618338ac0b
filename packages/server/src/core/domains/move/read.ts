import { everyTenant } from '@namehold/base';
import { notFound } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import { findMove, listMoveRows, type MoveFilter } from './move.sql.ts';
import type { Move } from './move.ts';

/** The row is the giver's, so it is read on the second login; what is selected is what both sides may see. */
export async function readMove(house: House, actor: Actor, id: string): Promise<Move> {
  const move = await findMove(house.db.as(everyTenant), actor.resellerId, id);
  if (!move) throw notFound('move');
  return move;
}

export async function listMoves(
  house: House,
  actor: Actor,
  filter: MoveFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: Move[]; total: number }> {
  return listMoveRows(house.db.as(everyTenant), actor.resellerId, filter, page);
}
