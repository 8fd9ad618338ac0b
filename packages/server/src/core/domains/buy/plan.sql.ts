import { everyTenant, sql } from '@namehold/base';
import type { House } from '../../house.ts';
import { LeaseLost } from '../../operations/journal.sql.ts';
import type { Operation } from '../../operations/operation.ts';

/** What was decided from the registry's view before a command left; a later attempt must not decide anew from what the command changed. */
export async function keepPlan(house: House, operation: Operation, plan: object): Promise<void> {
  const kept = await house.db.as(everyTenant).run(sql`
    update operation set outcome = ${JSON.stringify({ plan })} where id = ${operation.id} and fence = ${operation.fence}`);
  if (kept !== 1) throw new LeaseLost(`operation ${operation.id} belongs to another process now`);
}
