import { feeMoney } from '../../model/fee-money.ts';
import type { Registry, StatementLine } from '../../ports/registry.ts';
import type { GraceRefund, Refunds } from './grace-refunds.ts';
import type { DomainPurchaseRow } from './refunds.sql.ts';

/**
 * Used if dates do not show whether a grace period was open: the registry's statement, if it has one, shows its refunds. A purchase that
 * the statement does not match exactly stays doubtful.
 */
export async function byStatement(
  registry: Registry,
  name: string,
  refunds: Refunds,
  reconciliationSources: {
    readonly purchases: readonly DomainPurchaseRow[];
    readonly createdAt: Date | null;
    /** The refunds by the registry that are already in the ledger. */
    readonly refundedCost: bigint;
  },
): Promise<Refunds> {
  if (refunds.doubtful.length === 0 || !registry.holdings || registry.hasNoStatement) return refunds;
  const reported = await registry.holdings({ name });
  if (reported.kind !== 'done') return refunds;
  const lines = (reported.data[0]?.lines ?? []).filter(
    ({ at }) => !reconciliationSources.createdAt || at >= reconciliationSources.createdAt,
  );
  const cost = (refund: GraceRefund) => costOf(refund, reconciliationSources.purchases);
  const unbooked = refundedIn(lines) - reconciliationSources.refundedCost - sum(refunds.due.map(cost));
  if (unbooked === 0n) return { due: refunds.due, doubtful: [] };
  const meant = [refunds.doubtful, ...refunds.doubtful.map((each) => [each])].filter(
    (some) => sum(some.map(cost)) === unbooked,
  );
  return meant[0] ? { due: [...refunds.due, ...meant[0]], doubtful: [] } : refunds;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, each) => all + each, 0n);

const refundedIn = (lines: readonly StatementLine[]): bigint =>
  sum(lines.flatMap(({ kind, fee }) => (kind === 'refund' ? [feeMoney(fee).amount] : [])));

/** The registry's part of a refund, in proportion to its years. */
function costOf({ transaction_id, years }: GraceRefund, purchases: readonly DomainPurchaseRow[]): bigint {
  const purchase = purchases.find(({ id }) => id === transaction_id);
  return purchase?.cost ? (BigInt(purchase.cost) * BigInt(years)) / BigInt(purchase.years) : 0n;
}
