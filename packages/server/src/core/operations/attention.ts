import type { Tx } from '@namehold/postgres';
import { clearAlarms } from '../alarms/alarm.sql.ts';
import { raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import type { Operation } from '../model/operation.ts';

/** Called when it happens and again by a background job while it lasts, so that an alarm that could not be stored is not lost. */
export async function alarmAttention(
  ctx: AppContext,
  operation: Pick<Operation, 'id' | 'kind' | 'registry_id' | 'attention'>,
): Promise<void> {
  await raiseAlarm(ctx, {
    key: `operation:${operation.id}`,
    severity: 'critical',
    sentence: `operation ${operation.id} (${operation.kind}) needs a decision: ${operation.attention?.why ?? 'its outcome cannot be proven'}`,
    facts: { operation_id: operation.id, registry_id: operation.registry_id, ...operation.attention },
  });
}

/** Clears the alarms of a settled operation, but not that of a paid restore that failed. */
export async function clearOwnAlarms(tx: Tx, operation: Pick<Operation, 'id' | 'state'>, now: Date): Promise<void> {
  const keys = [`operation:${operation.id}`, ...(operation.state === 'done' ? [`restore:${operation.id}`] : [])];
  await clearAlarms(tx, keys, now);
}
