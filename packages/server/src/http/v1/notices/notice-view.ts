import { z } from 'zod';
import { languages, noticeKindNames } from '../../../core/notices/kinds.ts';
import { type Notice, noticeStates } from '../../../core/notices/notice.ts';
import { oneOf, text } from '../../field.ts';
import { instantOrNull, instantText } from '../../wire.ts';

export const notice_id = text({ max: 60, about: 'Id of the notice.' });
export const kind = oneOf(noticeKindNames, 'Kind of the notice.');
export const language = oneOf(languages, 'Its language.');

export const noticeView = z
  .object({
    notice_id: z.string(),
    kind: z.enum(noticeKindNames),
    state: z
      .enum(noticeStates)
      .describe('queued: not sent yet; sent: accepted by the mail server; failed: not accepted; bounced: returned.'),
    domain_id: z.string().nullable(),
    contact_id: z.string().nullable(),
    address: z.string().describe('Recipient address.'),
    recipient: z.string().describe('The recipient.'),
    language: z.enum(languages),
    subject: z.string(),
    created_at: z.string(),
    ended_at: z.string().nullable().describe('When it was sent, failed or bounced.'),
    tries: z.int().describe('Number of delivery attempts.'),
    result: z.string().nullable().describe('Last response of the mail server.'),
  })
  .meta({ id: 'Notice', description: 'A notice that was sent by mail.' });

export const wholeNoticeView = noticeView
  .extend({
    text: z.string().describe('As sent. [token] replaces the token of a link.'),
    html: z.string().describe('The same in HTML.'),
  })
  .meta({ id: 'WholeNotice', description: 'A notice with its text.' });

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
