import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { appendEvent } from '../events/append.ts';
import type { TargetState } from './forward.ts';
import { type MailTarget, setTargetState } from './target.sql.ts';

const eventTypes = {
  confirmed: 'mail_target.confirmed',
  stopped: 'mail_target.stopped',
  lapsed: 'mail_target.lapsed',
  failing: 'mail_target.failing',
} as const;

/** Sets the final state of a target and reports it to its reseller. */
export async function settleTarget(
  ctx: AppContext,
  tx: Tx,
  target: MailTarget,
  state: Exclude<TargetState, 'waiting'>,
): Promise<void> {
  await setTargetState(tx, target.id, state, ctx.clock.now());
  await appendEvent(ctx, tx, {
    resellerId: target.reseller_id,
    type: eventTypes[state],
    objectId: target.id,
    payload: { mail_target_id: target.id, customer_id: target.customer_id, address: target.address },
  });
}
