import { everyTenant } from '@namehold/base';
import { Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { type KeptMailRow, keepForwardedMail, keepMail, keptMail, newestMail } from './mailbox.sql.ts';
import type { Mail, Mailer } from './mailer.ts';

type Box = Pick<House, 'db' | 'vault'>;
/** As it is kept; what was forwarded is no notice. */
type KeptMail = Omit<Mail, 'at' | 'noticeId' | 'resellerId'> & {
  readonly at: string;
  readonly noticeId: string | null;
  /** The address that it was written to. */
  readonly forwardedFor?: string;
};
type ShownMail = KeptMail & { readonly id: string };

const context = (id: string) => `sandbox-mail:${id}`;

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
): Promise<{ mails: ShownMail[]; total: number }> {
  if (house.config.mode !== 'sandbox') throw new Refusal('not_found', 'The mailbox exists in sandbox mode only.');
  const { rows, total } = await keptMail(house.db.as(actor.resellerId), actor.resellerId, page);
  return { mails: rows.map((row) => opened(house, row)), total };
}

const opened = (house: Box, row: KeptMailRow): ShownMail => ({
  ...(JSON.parse(house.vault.open(row.message_sealed, context(row.mail_id))) as KeptMail),
  id: row.mail_id,
});

/** The newest mail of every reseller, for who runs the sandbox. */
export async function readEveryMailbox(house: House, limit: number): Promise<ShownMail[]> {
  if (house.config.mode !== 'sandbox') throw new Refusal('not_found', 'The mailbox exists in sandbox mode only.');
  return (await newestMail(house.db.as(everyTenant), limit)).map((row) => opened(house, row));
}

/** A mail that was forwarded, as it arrived, where a mail server would have sent it on. */
export async function keepForwarded(
  house: Box & Pick<House, 'ids' | 'wall'>,
  mail: {
    readonly domainId: string;
    readonly address: string;
    readonly target: string;
    readonly sender: string;
    readonly message: string;
  },
): Promise<void> {
  const id = house.ids.next('fwd');
  const kept: KeptMail = {
    noticeId: null,
    forwardedFor: mail.address.toLowerCase(),
    from: { name: '', address: mail.sender },
    to: { name: '', address: mail.target },
    replyTo: null,
    returnTo: mail.sender,
    language: '',
    subject: subjectOf(mail.message),
    text: mail.message,
    html: '',
    at: house.wall.now().toISOString(),
  };
  const sealed = house.vault.seal(JSON.stringify(kept), context(id));
  await keepForwardedMail(house.db.alone(everyTenant), { domainId: mail.domainId, forwardId: id, sealed });
}

function subjectOf(message: string): string {
  const head = message.split('\r\n\r\n', 1)[0]!.replace(/\r\n[ \t]+/g, ' ');
  return /^subject:[ \t]*(.*)$/im.exec(head)?.[1]?.trim().slice(0, 300) ?? '';
}
