import type { Route } from '../../route.ts';
import { changeBrandRoute, readBrandRoute } from './brand.ts';
import { listNoticesRoute } from './list.ts';
import { readNoticeRoute } from './read.ts';
import { changeTextRoute, listTextsRoute, previewTextRoute, resetTextRoute } from './texts.ts';

export const noticeRoutes: readonly Route[] = [
  listNoticesRoute,
  readNoticeRoute,
  readBrandRoute,
  changeBrandRoute,
  listTextsRoute,
  changeTextRoute,
  resetTextRoute,
  previewTextRoute,
];
