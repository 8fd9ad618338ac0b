import { money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { refund } from '../../ledger/refund.ts';
import type { Domain, TransferAway } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import type { RegistryDomain, RegistryTransfer } from '../../ports/registry.ts';
import { refundsOfLeaving, refundsOfYears, shownRefund } from '../end/grace-refunds.ts';
import { notifyFormerOwner } from '../end/notify-former-owner.ts';
import { emitLoss } from '../end/overdue.ts';
import { completedPurchases } from '../end/refunds.sql.ts';
import { setTransferAway } from './transfer-away.sql.ts';

const awayOf = (transfer: RegistryTransfer): TransferAway => ({
  registrar: transfer.gaining,
  status: transfer.status,
  requested_at: transfer.requestedAt?.toISOString() ?? null,
  action_at: transfer.actionAt?.toISOString() ?? null,
});

/** Stores the registry's data of a transfer to another registrar with the domain. Null if there is none. */
export async function noteTransferAway(
  tx: Tx,
  domain: Domain,
  transfer: RegistryTransfer | null | undefined,
): Promise<TransferAway | null> {
  if (!transfer || transfer.isToUs) return domain.transfer_away;
  const away = awayOf(transfer);
  await setTransferAway(tx, domain.id, away);
  return away;
}

/** When the domain went to another registrar, by the registry's dates (RFC 5731 3.1.3 acDate, 3.1.2 trDate). */
export function leftAtOf(
  view: Pick<RegistryDomain, 'isOurs' | 'sponsor' | 'transferredAt'> | null,
  transfer: RegistryTransfer | null | undefined,
): Date | undefined {
  if (!view || view.isOurs) return undefined;
  const isReported = transfer && !transfer.isToUs && isWith(transfer.gaining, view.sponsor);
  return (isReported ? transfer.actionAt : null) ?? view.transferredAt ?? undefined;
}

/** If the registry does not show the sponsor, the transfer names it. */
export const isWith = (gaining: string, sponsor: string | null): boolean => sponsor === null || gaining === sponsor;

/**
 * Records on the tombstone which registrar has the domain and since when. If the registry takes back an auto-renewed year, its payer is
 * refunded, including privacy protection bought with it; nothing else is refunded.
 */
export async function settleLeaving(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  gone: {
    readonly sponsor: string | null;
    readonly transfer: RegistryTransfer | null | undefined;
    readonly rules: TldRules;
    readonly leftAt: Date | undefined;
    /** Paid years that the registry refunded by its statement; undefined: the dates decide. */
    readonly refundedYears: number | undefined;
  },
): Promise<TransferAway> {
  const { transfer } = gone;
  const known = transfer && !transfer.isToUs && isWith(transfer.gaining, gone.sponsor) ? awayOf(transfer) : undefined;
  const away: TransferAway = known ?? {
    registrar: gone.sponsor ?? domain.transfer_away?.registrar ?? 'another registrar',
    status: 'transferred',
    requested_at: domain.transfer_away?.requested_at ?? null,
    action_at: null,
  };
  const purchases = await completedPurchases(tx, domain.id);
  const due =
    gone.refundedYears === undefined
      ? refundsOfLeaving(purchases, gone.leftAt ?? ctx.clock.now(), gone.rules)
      : refundsOfYears(purchases, gone.refundedYears);
  const refunded: NonNullable<TransferAway['refunded']>[number][] = [];
  for (const { transaction_id, reseller_id, total, currency } of due) {
    const order = { transactionId: transaction_id, total: money(BigInt(total), currency) };
    const line = shownRefund(await refund(ctx, tx, order));
    if (!line) continue;
    if (reseller_id === domain.reseller_id) refunded.push({ transaction_id, ...line });
    else await notifyFormerOwner(ctx, tx, transaction_id, line);
  }
  await setTransferAway(tx, domain.id, refunded.length > 0 ? { ...away, refunded } : away);
  void emitLoss(ctx, domain).catch((raised: unknown) => ctx.log.error({ err: raised }, 'failed to store an alarm'));
  return away;
}
