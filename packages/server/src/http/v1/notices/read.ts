import { z } from 'zod';
import { readNotice } from '../../../core/notices/list.ts';
import { route } from '../../route.ts';
import { notice_id, noticeExample, showNotice, wholeNoticeView } from './notice-view.ts';

export const readNoticeRoute = route({
  method: 'GET',
  path: '/notices/{notice_id}',
  area: 'account',
  style: 'own',
  summary: 'Read a notice',
  description: 'One notice with its text.',
  input: z.object({ notice_id }),
  output: wholeNoticeView,
  errors: ['not_found'],
  example: {
    input: { notice_id: noticeExample.notice_id },
    output: { ...noticeExample, text: 'Yth. Sari Dewi, ...', html: '<!doctype html>...' },
    first: 'a notice must exist',
  },
  async answer(ctx, caller, input) {
    const notice = await readNotice(ctx, caller, input.notice_id);
    return { ...showNotice(notice), text: notice.body_text, html: notice.body_html };
  },
});
