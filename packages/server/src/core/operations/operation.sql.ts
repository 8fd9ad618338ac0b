import { flushLater, type Queryable, sql, type Tx } from '@namehold/base';
import type { Evidence } from '../domains/registry.ts';
import { type Operation, type OperationState, operationLimits, type Step } from './operation.ts';

const columns =
  sql.raw(`id, reseller_id, kind, domain_id, contact_id, registry_id, request, secrets_sealed, state, steps, transaction_id, result_code,
  result_text, reasons, cltrid, svtrid, outcome, request_id, key_id, attempts, due_at, fence, created_at, updated_at, finished_at`);

export interface NewOperation {
  readonly id: string;
  readonly resellerId: string;
  readonly kind: string;
  readonly domainId?: string | null;
  readonly contactId?: string | null;
  readonly registryId: string | null;
  readonly request: object;
  readonly secretsSealed?: string | null;
  readonly transactionId?: string | null;
  readonly requestId: string;
  readonly keyId: string | null;
  readonly dueAt: Date;
  readonly now: Date;
}

export async function insertOperation(tx: Tx, o: NewOperation): Promise<void> {
  await tx.run(sql`
    insert into operation (id, reseller_id, kind, domain_id, contact_id, registry_id, request, secrets_sealed, state, transaction_id,
                           request_id, key_id, due_at, created_at, updated_at)
    values (${o.id}, ${o.resellerId}, ${o.kind}, ${o.domainId ?? null}, ${o.contactId ?? null}, ${o.registryId}, ${JSON.stringify(o.request)},
            ${o.secretsSealed ?? null}, 'intended', ${o.transactionId ?? null}, ${o.requestId}, ${o.keyId}, ${o.dueAt}, ${o.now}, ${o.now})`);
}

export async function findOperation(db: Queryable, resellerId: string, id: string): Promise<Operation | undefined> {
  return db.maybe<Operation>(sql`select ${columns} from operation where id = ${id} and reseller_id = ${resellerId}`);
}

export async function findOpenOperation(db: Queryable, domainId: string): Promise<Operation | undefined> {
  return db.maybe<Operation>(sql`
    select ${columns} from operation where domain_id = ${domainId} and state not in ('done', 'refused', 'cancelled')`);
}

/**
 * Takes the lease with a new fencing number, unless another process holds it or the operation is final. The disk is not waited
 * for: nothing leaves before the journal is on it, and the journal's flush brings this along.
 */
export async function claimOperation(
  db: Queryable,
  id: string,
  owner: string,
  now: Date,
  leasedUntil: Date,
): Promise<Operation | undefined> {
  return db.maybe<Operation>(sql`
    update operation set lease_owner = ${owner}, leased_until = ${leasedUntil}, fence = fence + 1, attempts = attempts + 1, updated_at = ${now}
    where id = ${id} and state not in ('done', 'refused', 'cancelled') and (leased_until is null or leased_until <= ${now} or lease_owner = ${owner})
    returning ${columns}, ${flushLater}`);
}

/** A live process keeps its leases by saying so; a dead one loses them. */
export async function renewLeases(tx: Tx, owner: string, ids: readonly string[], leasedUntil: Date): Promise<void> {
  await tx.run(sql`
    update operation set leased_until = ${leasedUntil} where id = any (${ids}::text[]) and lease_owner = ${owner} and leased_until is not null`);
}

export async function dueOperations(tx: Tx, now: Date, limit: number): Promise<{ id: string }[]> {
  return tx.many<{ id: string }>(sql`
    select id from operation
    where state not in ('done', 'refused', 'cancelled') and due_at <= ${now} and (leased_until is null or leased_until <= ${now})
    order by due_at limit ${limit} for update skip locked`);
}

export interface StateChange {
  readonly state: OperationState;
  readonly now: Date;
  readonly dueAt: Date;
  readonly evidence?: Evidence | undefined;
  readonly outcome?: object | undefined;
  readonly steps: readonly Step[];
  readonly isFinal: boolean;
}

/** Nothing where the fence has moved on: another process owns the operation now, and this one must not settle it. */
export async function changeState(
  tx: Tx,
  id: string,
  fence: string,
  change: StateChange,
): Promise<Operation | undefined> {
  const { evidence } = change;
  return tx.maybe<Operation>(sql`
    update operation set state = ${change.state}, updated_at = ${change.now}, due_at = ${change.dueAt}, leased_until = null, lease_owner = null,
      result_code = coalesce(${evidence?.code ?? null}, result_code), result_text = coalesce(${evidence?.text ?? null}, result_text),
      reasons = coalesce(${evidence?.reasons ? JSON.stringify(evidence.reasons) : null}::jsonb, reasons),
      cltrid = coalesce(${evidence?.clTRID ?? null}, cltrid), svtrid = coalesce(${evidence?.svTRID ?? null}, svtrid),
      outcome = coalesce(${change.outcome ? JSON.stringify(change.outcome) : null}::jsonb, outcome),
      steps = case when jsonb_array_length(steps) < ${operationLimits.stepsKept} then steps || ${JSON.stringify(change.steps)}::jsonb else steps end,
      finished_at = ${change.isFinal ? change.now : null}
    where id = ${id} and fence = ${fence} and state not in ('done', 'refused', 'cancelled')
    returning ${columns}`);
}

export async function cancelIntended(tx: Tx, id: string, now: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update operation o set state = 'cancelled', updated_at = ${now}, finished_at = ${now}, fence = fence + 1, leased_until = null
    where id = ${id} and state in ('intended', 'action_required')
      and not exists (select from registry_command c where c.operation_id = o.id)`);
  return changed === 1;
}

export { columns as operationColumns };
