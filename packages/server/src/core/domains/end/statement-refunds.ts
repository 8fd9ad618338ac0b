import { feeMoney } from '../registry/fee-money.ts';
import type { Registry, StatementLine } from '../registry/registry.ts';
import type { GraceRefund, Refunds } from './grace-refunds.ts';
import type { DomainPurchaseRow } from './refunds.sql.ts';

/**
 * The last witness where dates no longer tell whether a grace was open: what the registry gave back stands in its statement, where it
 * has one. What the statement does not settle to the cent stays in doubt.
 */
export async function byStatement(
  registry: Registry,
  name: string,
  refunds: Refunds,
  reconciliationSources: {
    readonly purchases: readonly DomainPurchaseRow[];
    readonly createdAt: Date | null;
    /** What they say already that the registry gave back. */
    readonly givenBack: bigint;
  },
): Promise<Refunds> {
  if (refunds.doubtful.length === 0 || !registry.holdings) return refunds;
  const reported = await registry.holdings({ name });
  if (reported.kind !== 'done') return refunds;
  const lines = (reported.data[0]?.lines ?? []).filter(
    ({ at }) => !reconciliationSources.createdAt || at >= reconciliationSources.createdAt,
  );
  const cost = (refund: GraceRefund) => costOf(refund, reconciliationSources.purchases);
  const unbooked = givenBack(lines) - reconciliationSources.givenBack - sum(refunds.due.map(cost));
  if (unbooked === 0n) return { due: refunds.due, doubtful: [] };
  const meant = [refunds.doubtful, ...refunds.doubtful.map((each) => [each])].filter(
    (some) => sum(some.map(cost)) === unbooked,
  );
  return meant[0] ? { due: [...refunds.due, ...meant[0]], doubtful: [] } : refunds;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, each) => all + each, 0n);

const givenBack = (lines: readonly StatementLine[]): bigint =>
  sum(lines.flatMap(({ kind, fee }) => (kind === 'refund' ? [feeMoney(fee).amount] : [])));

/** The registry's part of a refund, in the measure of its years. */
function costOf({ transaction_id, years }: GraceRefund, purchases: readonly DomainPurchaseRow[]): bigint {
  const purchase = purchases.find(({ id }) => id === transaction_id);
  return purchase?.cost ? (BigInt(purchase.cost) * BigInt(years)) / BigInt(purchase.years) : 0n;
}
