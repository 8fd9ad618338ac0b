import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { release } from '../../ledger/release.ts';
import type { OperationOf } from '../../model/operation.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import type { RegistryTransfer } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { markRemoved } from '../domain.sql.ts';
import { deleteTransferCode, noteTransfer } from './transfer.sql.ts';

/** A transfer that ended without success: the money is released, the row stays as a tombstone, the auth code is deleted. */
export async function endTransfer(
  ctx: AppContext,
  tx: Tx,
  operation: OperationOf<'transfer'>,
  end: {
    readonly reason: 'refused' | 'cancelled';
    readonly transfer: RegistryTransfer | undefined;
    /** As text for the registrant. */
    readonly why: string;
  },
): Promise<void> {
  const now = ctx.clock.now();
  const { transfer } = end;
  await release(ctx, tx, { operationId: operation.id });
  const domain = await readDomain(tx, operation.domain_id);
  const transferFacts = transfer
    ? {
        status: transfer.status,
        from_registrar: transfer.losing,
        requested_at: transfer.requestedAt?.toISOString() ?? null,
        action_at: transfer.actionAt?.toISOString() ?? null,
      }
    : {
        from_registrar: null,
        requested_at: null,
        ...domain.transfer,
        status: end.reason,
        action_at: now.toISOString(),
      };
  // Must run first, because only a row that waits for a code may exist beside another row of the domain.
  await markRemoved(tx, operation.domain_id, end.reason, now);
  await noteTransfer(tx, operation.domain_id, transferFacts, now);
  await notifyRegistrant(ctx, tx, domain, {
    kind: 'transfer_refused',
    facts: { reason: end.why },
  });
  await deleteTransferCode(tx, operation.id);
}
