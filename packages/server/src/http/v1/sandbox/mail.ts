import { z } from 'zod';
import { readMailbox } from '../../../core/notices/mailbox.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';

const mailView = z
  .object({
    mail_id: z.string().describe('Of the notice, or of what was forwarded.'),
    notice_id: z.string().nullable().describe('null: it was forwarded.'),
    forwarded_for: z.string().nullable().describe('The address that a forwarded mail was written to.'),
    at: z.string(),
    from: z.string().describe('Name and address that it comes from.'),
    to: z.string().describe('Name and address that it goes to.'),
    reply_to: z.string().nullable().describe('Where answers go.'),
    return_to: z.string().describe('Where it returns to if it cannot be delivered.'),
    subject: z.string(),
    text: z.string().describe('As text, links with their tokens; a forwarded mail as it came.'),
    html: z.string().describe('As HTML.'),
  })
  .meta({ id: 'SandboxMail', description: 'A mail that left or was forwarded, in the mailbox of the sandbox.' });

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
    'Sandbox mode: mail of your account that would have left (without a mail server), and what was forwarded, newest first.',
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
