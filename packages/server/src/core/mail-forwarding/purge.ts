import type { AppContext } from '../app-context.ts';
import { forwardingLimits } from '../forwarding/rule.ts';
import { untilDone } from '../jobs/until-done.ts';
import { withdrawnBefore } from '../zones/life/withdraw.ts';
import { purgeMailCounts } from './counts.sql.ts';
import { purgeMail } from './mail-domain.sql.ts';

const batch = 100;

/** Deletes the addresses of domains that left long ago, and old counts of mails. */
export async function purgeMailForwarding(ctx: AppContext): Promise<void> {
  const removedBefore = withdrawnBefore(ctx);
  await untilDone(ctx, batch, (tx) => purgeMail(tx, removedBefore, batch));
  const countedBefore = new Date(ctx.wall.now().getTime() - forwardingLimits.clicksKeptMs);
  await untilDone(ctx, batch, (tx) => purgeMailCounts(tx, countedBefore, batch));
}
