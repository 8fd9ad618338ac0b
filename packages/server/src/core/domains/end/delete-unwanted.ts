import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { findOperation } from '../../operations/operation.sql.ts';
import { refusalOf } from '../registry/refuse.ts';
import { orderDeletion } from './delete.ts';

/** An unpaid domain, or one with the renewal mode "let expire": deleted by a normal delete operation on behalf of its reseller. */
export async function deleteUnwanted(ctx: AppContext, domain: Domain): Promise<void> {
  const key = `expiry:${domain.id}`;
  try {
    const actor = schedulerFor(domain, 'process-expiry');
    const id = await orderDeletion(ctx, actor, { domain: domain.id, customerId: undefined, because: 'expired' });
    await ctx.engine.start(id);
    const after = await findOperation(ctx.db.as(allTenants), domain.reseller_id, id);
    if (after?.state === 'refused') throw refusalOf(after);
    if (after?.state === 'done') await clearAlarm(ctx, key);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'operation_in_progress') return;
    const owed = domain.grace_ends_at
      ? ` The registry will charge its year from ${domain.grace_ends_at.toISOString()} on`
      : '';
    // The domain is locked, possibly because of a dispute: the operator must decide before the grace period ends and the year is charged.
    await raiseAlarm(ctx, {
      key,
      severity: 'critical',
      sentence: `${domain.name} is unpaid and could not be deleted: ${error.message}${owed}`,
      facts: { domain_id: domain.id },
    });
  }
}
