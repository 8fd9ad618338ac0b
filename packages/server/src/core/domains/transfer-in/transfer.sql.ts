import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { DomainState, TransferIn } from '../../model/domain.ts';
import type { OperationOf } from '../../model/operation.ts';
import type { RegisterPlan, TransferPlan } from '../../model/operation-kinds.ts';
import { operationColumns } from '../../operations/operation.sql.ts';
import { holdsName } from '../../tables/domain.sql.ts';

export async function noteTransfer(tx: Tx, domainId: string, transfer: TransferIn, now: Date): Promise<void> {
  await tx.run(sql`
    update domain set transfer = ${JSON.stringify(transfer)}::jsonb, updated_at = ${now} where id = ${domainId}`);
}

/** The status of the domain under another order than this one; undefined if no other order has it. */
export async function stateOfOther(
  db: Reader,
  own: { readonly domainId: string; readonly name: string },
): Promise<DomainState | undefined> {
  const row = await db.maybe<{ state: DomainState }>(sql`
    select d.state from domain d where d.name = ${own.name} and d.id <> ${own.domainId} and ${holdsName('d')}`);
  return row?.state;
}

/** The code was used, or will never be. */
export async function deleteTransferCode(tx: Tx, operationId: string): Promise<void> {
  await tx.run(sql`update operation set secrets_sealed = null where id = ${operationId}`);
}

/** The open transfer of a domain; its row stays locked. */
export async function lockTransfer(
  tx: Tx,
  resellerId: string,
  domainId: string,
): Promise<OperationOf<'transfer'> | undefined> {
  return tx.maybe<OperationOf<'transfer'>>(sql`
    select ${operationColumns} from operation
    where domain_id = ${domainId} and reseller_id = ${resellerId} and kind = 'transfer' and state not in ('done', 'refused', 'cancelled')
    for update`);
}

/** A reseller's domains with this domain name whose transfer waits for another code: at most one per customer. */
export async function findWaitingForCode(db: Reader, resellerId: string, name: string): Promise<{ id: string }[]> {
  return db.many<{ id: string }>(sql`
    select id from domain
    where reseller_id = ${resellerId} and name = ${name} and state = 'pending' and (transfer ->> 'status') is not distinct from 'code_refused'
    order by id limit 20`);
}

/** Stores a request of the owner in the plan of the open transfer. A running attempt is fenced off; the next one reads the new plan. */
export async function keepTransferPlan(
  tx: Tx,
  operationId: string,
  kept: { readonly plan: TransferPlan | RegisterPlan; readonly encryptedCode?: string },
): Promise<void> {
  await tx.run(sql`
    update operation set outcome = ${JSON.stringify({ plan: kept.plan })}::jsonb,
      secrets_sealed = coalesce(${kept.encryptedCode ?? null}, secrets_sealed), attention = null, due_at = now(),
      fence = gen_random_uuid()::text, leased_until = null, lease_owner = null
    where id = ${operationId} and state not in ('done', 'refused', 'cancelled')`);
}
