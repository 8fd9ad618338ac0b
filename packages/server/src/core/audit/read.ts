import type { Actor, House } from '../house.ts';
import type { Page } from '../page.ts';
import { type AuditFilter, listAudit } from './audit.sql.ts';

export function readAudit(house: House, actor: Actor, filter: AuditFilter, page: Page) {
  return listAudit(house.db.as(actor.resellerId), actor.resellerId, filter, page);
}
