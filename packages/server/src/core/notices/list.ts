import { notFound } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import type { Listed, Page } from '../page.ts';
import { findNotice, listNoticeRows, type NoticeFilter } from './notice.sql.ts';
import type { Notice } from './notice.ts';

export async function listNotices(
  house: House,
  actor: Actor,
  filter: NoticeFilter,
  page: Page,
): Promise<Listed<Notice>> {
  return listNoticeRows(house.db.as(actor.resellerId), actor.resellerId, filter, page);
}

export async function readNotice(house: House, actor: Actor, id: string): Promise<Notice> {
  const notice = await findNotice(house.db.as(actor.resellerId), actor.resellerId, id);
  if (!notice) throw notFound('notice');
  return notice;
}
