import { everyTenant } from '@namehold/base';
import { Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { keepMail, keptMail } from './mailbox.sql.ts';
import type { Mail, Mailer } from './mailer.ts';

type Box = Pick<House, 'db' | 'vault'>;
type KeptMail = Omit<Mail, 'at'> & { readonly at: string };

const context = (noticeId: string) => `sandbox-mail:${noticeId}`;

/** Sandbox mode without a mail server: what would leave is kept, and its reseller can read it. */
export function sandboxMailer(house: Box): Mailer {
  return {
    async send(mail) {
      const sealed = house.vault.seal(JSON.stringify(mail), context(mail.noticeId));
      await keepMail(house.db.alone(everyTenant), { resellerId: mail.resellerId, noticeId: mail.noticeId, sealed });
      return { kind: 'sent', reply: 'kept in the mailbox of the sandbox' };
    },
    async close() {},
  };
}

export async function readMailbox(
  house: House,
  actor: Actor,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ mails: KeptMail[]; total: number }> {
  if (house.config.mode !== 'sandbox') throw new Refusal('not_found', 'there is a mailbox in sandbox mode only');
  const { rows, total } = await keptMail(house.db.as(actor.resellerId), actor.resellerId, page);
  const mails = rows.map((row) => JSON.parse(house.vault.open(row.message_sealed, context(row.notice_id))) as KeptMail);
  return { mails, total };
}
