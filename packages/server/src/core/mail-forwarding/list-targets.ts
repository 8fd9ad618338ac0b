import { isAnother } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import type { Listed, Page } from '../page.ts';
import { listTargetRows, type MailTarget, type TargetFilter } from './target.sql.ts';

export async function listTargets(
  ctx: AppContext,
  actor: Actor,
  filter: TargetFilter,
  page: Page,
): Promise<Listed<MailTarget>> {
  const { customerId = filter.customerId } = actor;
  if (filter.customerId !== undefined && isAnother(actor, filter.customerId)) return { rows: [], total: 0 };
  return listTargetRows(ctx.db.as(actor.resellerId), actor.resellerId, { ...filter, customerId }, page);
}
