import { z } from 'zod';
import { readMailbox } from '../../../core/notices/mailbox.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';

const mailView = z
  .object({
    mail_id: z.string().describe('Id of the notice or of the forwarded mail.'),
    notice_id: z.string().nullable().describe('Null: a forwarded mail.'),
    forwarded_for: z.string().nullable().describe('Original recipient of a forwarded mail.'),
    at: z.string(),
    from: z.string().describe('Name and address of the sender.'),
    to: z.string().describe('Name and address of the recipient.'),
    reply_to: z.string().nullable().describe('Reply address.'),
    return_to: z.string().describe('Return path for bounces.'),
    subject: z.string(),
    text: z.string().describe('As plain text, including links with tokens. A forwarded mail as received.'),
    html: z.string().describe('As HTML.'),
  })
  .meta({ id: 'SandboxMail', description: 'A sent or forwarded mail in the mailbox of the sandbox.' });

const written = ({ name, address }: { name: string; address: string }) => `${name} <${address}>`.trim();

export const sandboxMail = route({
  method: 'GET',
  path: '/sandbox/mail',
  area: 'account',
  style: 'own',
  isSandboxOnly: true,
  isList: true,
  secret: true,
  summary: 'Read the mailbox of the sandbox',
  description:
    'Sandbox mode only. Mail of your account that would have been sent (without a mail server), and forwarded mail, newest first.',
  input: z.object(paging),
  output: z.array(mailView),
  errors: ['not_found', 'invalid_argument'],
  example: {
    input: { limit: 10 },
    output: [
      {
        mail_id: 'ntc_06bs3m7ycg7r5qh0d8w2k1v9zx',
        notice_id: 'ntc_06bs3m7ycg7r5qh0d8w2k1v9zx',
        forwarded_for: null,
        at: '2026-11-15T09:00:01Z',
        from: 'Example Reseller <notices@example.net>',
        to: 'Sari Dewi <sari@example-shop.com>',
        reply_to: 'help@example-shop.com',
        return_to: 'notices@example.net',
        subject: 'example-shop.com berakhir pada 15 November 2027',
        text: 'Yth. Sari Dewi, ...',
        html: '<!doctype html>...',
      },
    ],
  },
  async answer(ctx, caller, input) {
    const { mails, total } = await readMailbox(ctx, caller, pageOf(input));
    const shown = mails.map((mail) => ({
      mail_id: mail.id,
      notice_id: mail.noticeId,
      forwarded_for: mail.forwardedFor ?? null,
      at: `${mail.at.slice(0, 19)}Z`,
      from: written(mail.from),
      to: written(mail.to),
      reply_to: mail.replyTo,
      return_to: mail.returnTo,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
    }));
    return listAnswer(shown, total);
  },
});
