import type { Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { mailLimits } from './forward.ts';
import { settleTarget } from './settle-target.ts';
import { countFailure } from './target.sql.ts';

/**
 * A target refused forwarded mail of a name for good. Ten times in three days, and it gets no more: who goes on sending to it loses the name
 * of a forwarder for everybody. Its owner is asked again by a resend.
 */
export async function noteFailure(ctx: AppContext, tx: Tx, domainId: string, address: string): Promise<void> {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - mailLimits.failureMs);
  const target = await countFailure(tx, { domainId, address: address.toLowerCase(), now, since });
  if (target && target.failures >= mailLimits.failures) await settleTarget(ctx, tx, target, 'failing');
}
