import { allTenants } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { findOperation } from '../../operations/operation.sql.ts';
import type { Domain } from '../domain.ts';
import { refusalOf } from '../registry/refuse.ts';
import { schedulerFor } from '../system-actor.ts';
import { orderDeletion } from './delete.ts';

/** Nobody renewed it, or its reseller lets it go: deleted as anybody deletes a name, in the name of its reseller. */
export async function deleteUnwanted(ctx: AppContext, domain: Domain): Promise<void> {
  const key = `expiry:${domain.id}`;
  try {
    const actor = schedulerFor(domain, 'follow-expiry');
    const id = await orderDeletion(ctx, actor, { domain: domain.id, customerId: undefined, because: 'expired' });
    await ctx.engine.start(id);
    const after = await findOperation(ctx.db.as(allTenants), domain.reseller_id, id);
    if (after?.state === 'refused') throw refusalOf(after);
    if (after?.state === 'done') await clearAlarm(ctx, key);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'operation_in_progress') return;
    const owed = domain.grace_ends_at
      ? ` Its year is owed to the registry from ${domain.grace_ends_at.toISOString()} on`
      : '';
    // A lock stands, perhaps for a dispute: a person decides, before the grace ends and the year is owed.
    await raiseAlarm(ctx, {
      key,
      severity: 'critical',
      sentence: `${domain.name} is unpaid and could not be deleted: ${error.message}${owed}`,
      facts: { domain_id: domain.id },
    });
  }
}
