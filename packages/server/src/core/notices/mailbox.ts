import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import type { Mail, Mailer } from '../ports/mailer.ts';
import { type KeptMailRow, keepForwardedMail, keepMail, keptMail, newestMail } from './mailbox.sql.ts';

type Box = Pick<AppContext, 'db' | 'vault'>;
/** As stored; forwarded mail is no notice. */
type KeptMail = Omit<Mail, 'at' | 'noticeId' | 'resellerId'> & {
  readonly at: string;
  readonly noticeId: string | null;
  /** The address that it was written to. */
  readonly forwardedFor?: string;
};
type ShownMail = KeptMail & { readonly id: string };

const context = (id: string) => `sandbox-mail:${id}`;

/** Sandbox mode without a mail server: outgoing mail is stored, and its reseller can read it. */
export function sandboxMailer(ctx: Box): Mailer {
  return {
    async send(mail) {
      const encrypted = ctx.vault.encrypt(JSON.stringify(mail), context(mail.noticeId));
      await keepMail(ctx.db.autocommit(allTenants), {
        resellerId: mail.resellerId,
        noticeId: mail.noticeId,
        encrypted,
      });
      return { kind: 'sent', reply: 'Kept in the sandbox mailbox.' };
    },
    async close() {},
  };
}

export async function readMailbox(
  ctx: AppContext,
  actor: Actor,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ mails: ShownMail[]; total: number }> {
  if (ctx.config.mode !== 'sandbox') throw new Refusal('not_found', 'The mailbox exists in sandbox mode only.');
  const { rows, total } = await keptMail(ctx.db.as(actor.resellerId), actor.resellerId, page);
  return { mails: rows.map((row) => opened(ctx, row)), total };
}

const opened = (ctx: Box, row: KeptMailRow): ShownMail => ({
  ...(JSON.parse(ctx.vault.open(row.message_sealed, context(row.mail_id))) as KeptMail),
  id: row.mail_id,
});

/** The newest mail of every reseller, for the operator of the sandbox. */
export async function readEveryMailbox(ctx: AppContext, limit: number): Promise<ShownMail[]> {
  if (ctx.config.mode !== 'sandbox') throw new Refusal('not_found', 'The mailbox exists in sandbox mode only.');
  return (await newestMail(ctx.db.as(allTenants), limit)).map((row) => opened(ctx, row));
}

/** A forwarded mail as it arrived, stored in place of sending it on. */
export async function keepForwarded(
  ctx: Box & Pick<AppContext, 'ids' | 'wall'>,
  mail: {
    readonly domainId: string;
    readonly address: string;
    readonly target: string;
    readonly sender: string;
    readonly message: string;
  },
): Promise<void> {
  const id = ctx.ids.next('fwd');
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
    at: ctx.wall.now().toISOString(),
  };
  const encrypted = ctx.vault.encrypt(JSON.stringify(kept), context(id));
  await keepForwardedMail(ctx.db.autocommit(allTenants), { domainId: mail.domainId, forwardId: id, encrypted });
}

function subjectOf(message: string): string {
  const head = message.split('\r\n\r\n', 1)[0]!.replace(/\r\n[ \t]+/g, ' ');
  return /^subject:[ \t]*(.*)$/im.exec(head)?.[1]?.trim().slice(0, 300) ?? '';
}
