import { z } from 'zod';
import { listNotices } from '../../../core/notices/list.ts';
import { noticeStates } from '../../../core/notices/notice.ts';
import { id, oneOf } from '../../field.ts';
import { listAnswer, pageOf, pagingAfter } from '../../page.ts';
import { route } from '../../route.ts';
import { withCoreNames } from '../common/field-names.ts';
import { kind, noticeExample, noticeView, showNotice } from './notice-view.ts';

export const listNoticesRoute = route({
  method: 'GET',
  path: '/notices',
  area: 'account',
  style: 'own',
  isList: true,
  summary: 'List notices',
  description: 'Mails to registrants and to you, newest first, with their delivery status.',
  input: z.object({
    ...pagingAfter('ntc'),
    kind: kind.optional(),
    state: oneOf(noticeStates, 'Only this state.').optional(),
    domain_id: id('Only about this domain.').optional(),
  }),
  output: z.array(noticeView),
  errors: ['invalid_argument'],
  example: { input: { limit: 10 }, output: [noticeExample] },
  async answer(ctx, caller, input) {
    const { rows, ...listed } = await listNotices(ctx, caller, withCoreNames(input), pageOf(input));
    return listAnswer(rows.map(showNotice), listed);
  },
});
