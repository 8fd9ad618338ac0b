import { type Actor, type AppContext, writeAsService } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { requireDomain } from '../find.ts';
import { keepTransferPlan, lockTransfer } from './transfer.sql.ts';

/** Cancels a transfer in: its operation ends when the registry has cancelled it. Null: it is cancelled already. */
export async function cancelTransfer(
  ctx: AppContext,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
): Promise<{ readonly domainId: string; readonly operationId: string | null }> {
  const domain = await requireDomain(ctx, actor, idOrName, customerId);
  ctx.failpoint('transfer-cancel:before-order');
  const operationId = await writeAsService(ctx, actor, async (tx) => {
    const operation = await lockTransfer(tx, actor.resellerId, domain.id);
    if (!operation) return noneOpen(domain);
    const plan = { before: null, ...operation.outcome?.plan, is_cancelled: true };
    await keepTransferPlan(tx, operation.id, { plan });
    await actor.idempotency?.follow(tx, operation.id);
    await audit(ctx, tx, actor, {
      action: 'domain.transfer_cancel',
      objectType: 'domain',
      objectId: domain.id,
      before: { state: operation.state, operation_id: operation.id },
    });
    return operation.id;
  });
  ctx.failpoint('transfer-cancel:after-order');
  return { domainId: domain.id, operationId };
}

/** A repeated cancellation has no effect. */
function noneOpen(domain: Domain): null {
  if (domain.transfer && domain.removed_reason === 'cancelled') return null;
  throw new Refusal('conflict', `No transfer of ${domain.name} is in progress, so there is nothing to cancel.`);
}
