import { raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import type { OperationOf } from '../../model/operation.ts';
import type { Deletion, Refunds } from './grace-refunds.ts';

export const unrefundedKey = (operationId: string): string => `refund:${operationId}`;

/** Refunds that may be due and were not made are always reported to the operator. */
export async function alarmUnrefunded(
  ctx: AppContext,
  operation: Pick<OperationOf<'delete'>, 'id' | 'domain_id' | 'request'>,
  deletion: Pick<Deletion, 'knownAt' | 'isGone'>,
  refunds: Refunds,
): Promise<void> {
  const { doubtful, kept = [] } = refunds;
  if (doubtful.length + kept.length === 0) return;
  const { name } = operation.request;
  const sentence =
    doubtful.length > 0
      ? `${name} is deleted, but it cannot be determined whether its grace period was still open: nothing was refunded for it; check the account statement of the registry`
      : `${name} was deleted within its grace period by our rules, and the registry reports no refund for it: nothing was refunded to the buyer; contact the registry, or correct grace_days of its TLD`;
  await raiseAlarm(ctx, {
    key: unrefundedKey(operation.id),
    severity: doubtful.length > 0 ? 'critical' : 'warning',
    sentence,
    facts: {
      operation_id: operation.id,
      domain_id: operation.domain_id,
      known_at: deletion.knownAt.toISOString(),
      is_gone: deletion.isGone,
      doubtful,
      kept,
    },
  });
}
