import { allTenants, sql } from '@namehold/postgres';
import { systemActor } from '../../packages/server/src/core/actors.ts';
import { sendAllDue } from '../../packages/server/src/core/delivery/send.ts';
import { readMailbox } from '../../packages/server/src/core/notices/mailbox.ts';
import type { TestService } from './service.ts';

const pauseMs = 50;
const sentWithinMs = 300_000;

/** Sends all mail that was requested, and waits for what the service's own jobs are about to write or to send. */
async function sendAllMail({ ctx }: Pick<TestService, 'ctx'>): Promise<void> {
  for (let waited = 0; ; waited += pauseMs) {
    await sendAllDue(ctx);
    const { waits } = await ctx.db.as(allTenants).one<{ waits: boolean }>(sql`
      select exists (select from notice where state = 'queued') or exists (select from recovery_wish) as waits`);
    if (!waits) return;
    if (waited > sentWithinMs) throw new Error('mail stays queued, or a wish for recovery is not handled');
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** All mails of an account to an address, the last requested one first: two senders may store them in another order. */
export async function mailsTo(
  t: TestService,
  address: string,
  resellerId = '1000',
): Promise<{ readonly id: string; readonly text: string }[]> {
  await sendAllMail(t);
  const { mails } = await readMailbox(t.ctx, { ...systemActor, resellerId }, { limit: 100, offset: 0 });
  return mails.filter((mail) => mail.to.address === address).sort((a, b) => (a.id < b.id ? 1 : -1));
}
