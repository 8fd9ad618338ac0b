import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import type { Listed, Page } from '../page.ts';
import { findNotice, listNoticeRows, type NoticeFilter } from './notice.sql.ts';
import type { Notice } from './notice.ts';

export async function listNotices(
  ctx: AppContext,
  actor: Actor,
  filter: NoticeFilter,
  page: Page,
): Promise<Listed<Notice>> {
  return listNoticeRows(ctx.db.as(actor.resellerId), actor.resellerId, filter, page);
}

export async function readNotice(ctx: AppContext, actor: Actor, id: string): Promise<Notice> {
  const notice = await findNotice(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!notice) throw notFound('notice');
  return notice;
}
