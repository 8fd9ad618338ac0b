import type { AppContext } from '../app-context.ts';
import { untilDone } from '../jobs/until-done.ts';
import { withdrawnBefore } from '../zones/life/withdraw.ts';
import { purgeClicks } from './clicks.sql.ts';
import { purgeForwarding } from './forwarding.sql.ts';
import { forwardingLimits } from './rule.ts';

const batch = 100;

/** Deletes the rules of domains that left long ago, and old counts of requests. */
export async function purgeWebForwarding(ctx: AppContext): Promise<void> {
  const removedBefore = withdrawnBefore(ctx);
  await untilDone(ctx, batch, (tx) => purgeForwarding(tx, removedBefore, batch));
  const countedBefore = new Date(ctx.wall.now().getTime() - forwardingLimits.clicksKeptMs);
  await untilDone(ctx, batch, (tx) => purgeClicks(tx, countedBefore, batch));
}
