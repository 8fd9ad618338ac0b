import type { ContactTrnData, DomainTrnData } from '@namehold/epp';
import type { Tx } from '@namehold/postgres';
import { enqueue } from '../poll/enqueue.ts';
import type { CommitEffects } from '../registry/registry.ts';
import type { TransferRecord } from './transfer.sql.ts';

export function transferData(transfer: TransferRecord, name: string): DomainTrnData | ContactTrnData {
  const shared = {
    type: 'trnData',
    trStatus: transfer.state,
    reID: transfer.requester,
    reDate: transfer.requestedAt,
    acID: transfer.actor,
    acDate: transfer.actedAt,
  } as const;
  if (transfer.object === 'contact') return { object: 'contact', id: name, ...shared };
  return { object: 'domain', name, ...shared, ...(transfer.expiresAt === null ? {} : { exDate: transfer.expiresAt }) };
}

const sentence: Readonly<Record<string, string>> = {
  pending: 'Transfer requested.',
  clientApproved: 'Transfer approved.',
  clientRejected: 'Transfer rejected.',
  clientCancelled: 'Transfer cancelled.',
  serverApproved: 'Transfer approved automatically.',
  serverCancelled: 'Transfer cancelled by the registry.',
};

/** RFC 5730 2.9.3.4: the party that did not act gets a message; for the registry's own acts both do. */
export async function announceTransfer(
  tx: Tx,
  effects: CommitEffects,
  transfer: TransferRecord,
  name: string,
  at: Date,
): Promise<void> {
  const text = sentence[transfer.state] ?? 'Transfer changed.';
  for (const clientId of readersOf(transfer)) {
    await enqueue(tx, effects, { clientId, at, text, data: transferData(transfer, name) });
  }
}

function readersOf(transfer: TransferRecord): string[] {
  switch (transfer.state) {
    case 'pending':
    case 'clientCancelled':
      return [transfer.actor];
    case 'clientApproved':
    case 'clientRejected':
      return [transfer.requester];
    default:
      return [transfer.requester, transfer.actor];
  }
}
