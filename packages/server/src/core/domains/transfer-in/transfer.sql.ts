import { sql, type Tx } from '@namehold/base';
import type { RegisterPlan, TransferPlan } from '../../operations/kinds.ts';
import { operationColumns } from '../../operations/operation.sql.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { TransferIn } from '../domain.ts';

export async function noteTransfer(tx: Tx, domainId: string, transfer: TransferIn, now: Date): Promise<void> {
  await tx.run(sql`
    update domain set transfer = ${JSON.stringify(transfer)}::jsonb, updated_at = ${now} where id = ${domainId}`);
}

/** The code has done its work, or never will. */
export async function forgetCode(tx: Tx, operationId: string): Promise<void> {
  await tx.run(sql`update operation set secrets_sealed = null where id = ${operationId}`);
}

/** The transfer that is under way on a domain; its row stays locked. */
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

/** What its owner says to it while it is under way. Whoever runs it now is fenced off; the next attempt reads the new plan. */
export async function tellTransfer(
  tx: Tx,
  operationId: string,
  told: { readonly plan: TransferPlan | RegisterPlan; readonly codeSealed?: string },
): Promise<void> {
  await tx.run(sql`
    update operation set outcome = ${JSON.stringify({ plan: told.plan })}::jsonb,
      secrets_sealed = coalesce(${told.codeSealed ?? null}, secrets_sealed), attention = null, due_at = now(),
      fence = gen_random_uuid()::text, leased_until = null, lease_owner = null
    where id = ${operationId} and state not in ('done', 'refused', 'cancelled')`);
}
