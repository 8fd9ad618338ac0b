import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { mailLimits } from './forward.ts';
import { settleTarget } from './settle-target.ts';
import { countFailure } from './target.sql.ts';

/**
 * Counts permanent refusals by a target. After ten in three days it gets no more mail, because repeated refused mail harms the
 * reputation of the mail hosts. A resend requests consent again.
 */
export async function noteFailure(ctx: AppContext, tx: Tx, domainId: string, address: string): Promise<void> {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - mailLimits.failureMs);
  const target = await countFailure(tx, { domainId, address: address.toLowerCase(), now, since });
  if (target && target.failures >= mailLimits.failures) await settleTarget(ctx, tx, target, 'failing');
}
