import { raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { Deletion, Refunds } from './grace-refunds.ts';

export const unrefundedKey = (operationId: string): string => `refund:${operationId}`;

/** What may be owed to whoever paid is never kept in silence. */
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
      ? `${name} is deleted, but whether its grace was still open then cannot be found out: nothing was given back for it; look at the account statement of the registry`
      : `${name} was deleted within its days of grace by our rules, and the registry says that it gave nothing back for them: nor was the buyer given anything; ask the registry, or correct grace_days of its TLD`;
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
