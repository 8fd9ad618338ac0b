import { type Actor, type AppContext, write } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { countNotices } from '../../notices/notice.sql.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import { lockOwn, requireDomain } from '../find.ts';

const dayMs = 86_400_000;
const mailsPerDay = 5;

/**
 * Nobody here is asked to approve a transfer to us: the code is the holder's yes, and the present registrar asks its own customer. So what
 * goes out once more is what the holder was told when it began.
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
    if (!(await notifyRegistrant(ctx, tx, domain, { kind, facts: {} })))
      throw new Refusal('conflict', `No mail was sent: ${kind} is one of the notices that you send yourself.`);
    return { domainId: domain.id };
  });
}
