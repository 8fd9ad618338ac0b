import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import type { Operation } from '../model/operation.ts';
import { operationColumns } from './operation.sql.ts';

/** Orders that are due for a recheck, the longest due first. */
export async function dueRechecks(db: Reader, limit: number): Promise<Operation[]> {
  return db.many<Operation>(sql`
    select ${operationColumns} from operation where look_again_at <= now() order by look_again_at limit ${limit}`);
}

/** The query got no answer, so it is repeated later. */
export async function postponeRecheck(alone: Autocommit, id: string, byMs: number): Promise<void> {
  await alone.run(
    sql`update operation set look_again_at = now() + ${byMs} * interval '1 millisecond' where id = ${id}`,
  );
}

/** Records the result of a recheck. The last one has no successor, unless its finding still waits for a decision. */
export async function recordRecheck(
  alone: Autocommit,
  id: string,
  recheck: { readonly wasCarriedOut: boolean; readonly waitsMs: readonly number[] },
): Promise<void> {
  await alone.run(sql`
    update operation set looks = looks + 1,
      arrived_late_at = case when ${recheck.wasCarriedOut} then coalesce(arrived_late_at, now()) end,
      look_again_at = now() + coalesce((${recheck.waitsMs}::int[])[looks + 1],
        case when ${recheck.wasCarriedOut} then (${recheck.waitsMs}::int[])[cardinality(${recheck.waitsMs}::int[])] end) * interval '1 millisecond'
    where id = ${id} and state in ('done', 'refused', 'cancelled')`);
}

/** Reopens an ended order as if the query about its last command had not been answered, so that at most one command is executed. */
export async function reopenOperation(tx: Tx, id: string, now: Date): Promise<boolean> {
  await tx.run(sql`
    update registry_command set state = 'unknown', found = null where cltrid = (
      select c.cltrid from operation o join registry_command c on c.operation_id = o.id and c.step = o.kind and c.found in ('never', 'refused')
      where o.id = ${id} and not exists (
        select from registry_command x where x.operation_id = o.id and x.step = o.kind and x.state in ('prepared', 'sent', 'unknown'))
      order by c.prepared_at desc limit 1)`);
  const changed = await tx.run(sql`
    update operation set state = 'unknown', finished_at = null, decision = null, due_at = now(), updated_at = ${now}, look_again_at = null,
      arrived_late_at = null, fence = gen_random_uuid()::text, leased_until = null, lease_owner = null
    where id = ${id} and state in ('refused', 'cancelled')`);
  return changed === 1;
}
