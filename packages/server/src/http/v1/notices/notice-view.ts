import { z } from 'zod';
import { languages, noticeKindWords } from '../../../core/notices/kinds.ts';
import { type Notice, noticeStates } from '../../../core/notices/notice.ts';
import { text, word } from '../../field.ts';
import { instantOrNull, instantText } from '../../wire.ts';

export const notice_id = text({ max: 60, about: 'Id of the notice.' });
export const kind = word(noticeKindWords, 'What it tells of.');
export const language = word(languages, 'Its language.');

export const noticeView = z
  .object({
    notice_id: z.string(),
    kind: z.enum(noticeKindWords),
    state: z
      .enum(noticeStates)
      .describe('queued: not sent yet; sent: the mail server took it; failed: it did not; bounced: it came back.'),
    domain_id: z.string().nullable(),
    contact_id: z.string().nullable(),
    address: z.string().describe('Where it goes.'),
    recipient: z.string().describe('Who gets it.'),
    language: z.enum(languages),
    subject: z.string(),
    created_at: z.string(),
    ended_at: z.string().nullable().describe('When it was sent, failed or came back.'),
    tries: z.int().describe('How often it was given to the mail server.'),
    result: z.string().nullable().describe('What the mail server said last.'),
  })
  .meta({ id: 'Notice', description: 'What somebody was told by mail.' });

export const wholeNoticeView = noticeView
  .extend({
    text: z.string().describe('As it was sent; [token] stands for the token of a link.'),
    html: z.string().describe('The same in HTML.'),
  })
  .meta({ id: 'WholeNotice', description: 'A notice with its words.' });

export function showNotice(notice: Notice): z.output<typeof noticeView> {
  return {
    notice_id: notice.id,
    kind: notice.kind,
    state: notice.state,
    domain_id: notice.domain_id,
    contact_id: notice.contact_id,
    address: notice.address,
    recipient: notice.recipient,
    language: notice.language,
    subject: notice.subject,
    created_at: instantText(notice.created_at),
    ended_at: instantOrNull(notice.ended_at),
    tries: notice.tries,
    result: notice.result,
  };
}

export const noticeExample: z.output<typeof noticeView> = {
  notice_id: 'ntc_06bs3m7ycg7r5qh0d8w2k1v9zx',
  kind: 'domain_expiring',
  state: 'sent',
  domain_id: '5001',
  contact_id: '3001',
  address: 'sari@example-shop.com',
  recipient: 'Sari Dewi',
  language: 'id',
  subject: 'example-shop.com berakhir pada 15 November 2027',
  created_at: '2027-10-16T09:00:00Z',
  ended_at: '2027-10-16T09:00:01Z',
  tries: 1,
  result: '250 2.0.0 Ok: queued',
};
