import type { Actor, House } from '../house.ts';
import { listTargetRows, type MailTarget, type TargetFilter } from './target.sql.ts';

export async function listTargets(
  house: House,
  actor: Actor,
  filter: TargetFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: MailTarget[]; total: number }> {
  return listTargetRows(house.db.as(actor.resellerId), actor.resellerId, filter, page);
}
