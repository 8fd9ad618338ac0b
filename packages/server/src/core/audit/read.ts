import type { Actor, AppContext } from '../app-context.ts';
import type { Page } from '../page.ts';
import { type AuditFilter, listAudit } from './audit.sql.ts';

export function readAudit(ctx: AppContext, actor: Actor, filter: AuditFilter, page: Page) {
  return listAudit(ctx.db.as(actor.resellerId), actor.resellerId, filter, page);
}
