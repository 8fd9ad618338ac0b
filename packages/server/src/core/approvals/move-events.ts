import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { appendEvent } from '../events/append.ts';
import type { Approval } from '../model/approval.ts';
import type { OperationOf } from '../model/operation.ts';
import { notifyRegistrant } from '../notices/notify-recipients.ts';
import { findHeldName } from '../notices/recipient.sql.ts';

type ReportedMove = Pick<OperationOf<'move'>, 'id' | 'reseller_id' | 'domain_id' | 'taker_id' | 'request'> & {
  readonly approval: Pick<Approval, 'until'>;
};

/** The same event for both sides: the giving and the receiving reseller, without the keys of either. */
export async function recordMoveEvents(
  ctx: AppContext,
  tx: Tx,
  { id, reseller_id: giver, domain_id: domainId, taker_id: taker, request, approval }: ReportedMove,
  type: 'move.offered' | 'move.declined' | 'move.lapsed',
): Promise<void> {
  const payload = {
    operation_id: id,
    domain_name: request.name,
    from_reseller_id: giver,
    to_reseller_id: request.new_reseller_id,
    to_customer_id: request.new_customer_id,
    until: approval.until,
  };
  const held = type === 'move.offered' ? await findHeldName(tx, giver, domainId) : undefined;
  if (held) await notifyRegistrant(ctx, tx, held, { kind: 'move_offered', facts: { until: new Date(approval.until) } });
  for (const resellerId of [giver, ...(taker === null ? [] : [taker])])
    await appendEvent(ctx, tx, { resellerId, type, objectId: id, payload });
}
