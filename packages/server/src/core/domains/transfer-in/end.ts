import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { release } from '../../ledger/release.ts';
import type { OperationOf } from '../../model/operation.ts';
import { dayText, type FactValue } from '../../notices/kinds.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import type { RegistryTransfer } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { markRemoved } from '../domain.sql.ts';
import { deleteTransferCode, noteTransfer } from './transfer.sql.ts';

/** Why a transfer ended without a refusal of the registry. `text` is for operators and events, `registrant` for the mail. */
export interface TransferEnd {
  readonly text: string;
  readonly registrant: FactValue | null;
}

export const transferEnds = {
  cancelled: {
    text: 'cancelled',
    registrant: { en: 'The transfer was cancelled.', id: 'Transfer dibatalkan.' },
  },
  alreadyHere: {
    text: 'the domain is with this registrar already',
    registrant: { en: 'The domain is already with our registrar.', id: 'Domain ini sudah berada di registrar kami.' },
  },
  notDecided: {
    text: 'the current registrar did not decide in time, so the transfer was cancelled',
    registrant: {
      en: 'The current registrar did not decide in time, so the transfer was cancelled.',
      id: 'Registrar saat ini tidak memberi keputusan tepat waktu, sehingga transfer dibatalkan.',
    },
  },
  noNewCode(until: Date): TransferEnd {
    return {
      text: `no other auth code was sent until ${until.toISOString().slice(0, 10)}`,
      registrant: {
        en: `The registry refused the auth code, and we received no other code by ${dayText(until, 'en')}.`,
        id: `Registri menolak kode transfer, dan kami tidak menerima kode lain sampai ${dayText(until, 'id')}.`,
      },
    };
  },
} as const;

/** A transfer that ended without success: the money is released, the row stays as a tombstone, the auth code is deleted. */
export async function endTransfer(
  ctx: AppContext,
  tx: Tx,
  operation: OperationOf<'transfer'>,
  end: {
    readonly reason: 'refused' | 'cancelled';
    readonly transfer: RegistryTransfer | undefined;
    /** For the registrant. */
    readonly why: FactValue | null;
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
