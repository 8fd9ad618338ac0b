import { everyTenant, sql } from '@namehold/base';
import type { House } from '../house.ts';
import { LeaseLost } from './journal.sql.ts';
import type { Operation } from './operation.ts';

/** Only under the fence: whoever was overtaken plans nothing any more. */
export async function keepPlan(house: House, operation: Pick<Operation, 'id' | 'fence'>, plan: object): Promise<void> {
  const kept = await house.db.alone(everyTenant).run(sql`
    update operation set outcome = ${JSON.stringify({ plan })} where id = ${operation.id} and fence = ${operation.fence}`);
  if (kept !== 1) throw new LeaseLost(`operation ${operation.id} belongs to another process now`);
}
