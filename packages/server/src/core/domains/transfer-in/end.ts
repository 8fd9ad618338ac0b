import type { Tx } from '@namehold/base';
import type { House } from '../../house.ts';
import { release } from '../../ledger/release.ts';
import { tellHolder } from '../../notices/tell.ts';
import type { OperationOf } from '../../operations/operation.ts';
import { markRemoved, readDomain } from '../domain.sql.ts';
import type { RegistryTransfer } from '../registry/registry.ts';
import { forgetCode, noteTransfer } from './transfer.sql.ts';

/** A transfer that ended without the name: the money is free, the row stays as a tombstone, the code is forgotten. */
export async function endTransfer(
  house: House,
  tx: Tx,
  operation: OperationOf<'transfer'>,
  end: {
    readonly reason: 'refused' | 'cancelled';
    readonly transfer: RegistryTransfer | undefined;
    /** In words for the holder. */
    readonly why: string;
  },
): Promise<void> {
  const now = house.clock.now();
  const { transfer } = end;
  await release(house, tx, { operationId: operation.id });
  const domain = await readDomain(tx, operation.domain_id);
  const told = transfer
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
  // First, because only a row that waits for a code may stand beside another one of the name.
  await markRemoved(tx, operation.domain_id, end.reason, now);
  await noteTransfer(tx, operation.domain_id, told, now);
  await tellHolder(house, tx, domain, {
    kind: 'transfer_refused',
    facts: { reason: end.why },
  });
  await forgetCode(tx, operation.id);
}
