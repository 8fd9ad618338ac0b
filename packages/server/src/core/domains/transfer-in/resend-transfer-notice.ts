import { type Actor, type AppContext, write } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { countNotices } from '../../notices/notice.sql.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import { lockOwn, requireDomain } from '../find.ts';

const dayMs = 86_400_000;
const mailsPerDay = 5;

/**
 * We send no approval request for a transfer in: the auth code is the registrant's approval, and the current registrar contacts its own
 * customer. So the notice of the start of the transfer is sent again.
 */
export async function resendTransferNotice(
  ctx: AppContext,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
): Promise<{ readonly domainId: string }> {
  const found = await requireDomain(ctx, actor, idOrName, customerId);
  return write(ctx, actor, async (tx) => {
    const domain = await lockOwn(tx, actor, found.id);
    if (domain.state !== 'pending' || domain.transfer?.status !== 'pending')
      throw new Refusal('conflict', `No transfer of ${domain.name} to us is pending at the registry.`);
    const since = new Date(ctx.clock.now().getTime() - dayMs);
    const kind = 'transfer_started';
    if ((await countNotices(tx, { domainId: domain.id, kind, since })) >= mailsPerDay)
      throw new Refusal('conflict', `The limit of ${mailsPerDay} such mails a day is reached. Try again tomorrow.`);
    if (!(await notifyRegistrant(ctx, tx, domain, { kind, facts: {}, promised: {} })))
      throw new Refusal('conflict', `No mail was sent: ${kind} is one of the notices that you send yourself.`);
    return { domainId: domain.id };
  });
}
