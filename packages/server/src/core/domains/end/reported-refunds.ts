import type { Reader } from '@namehold/postgres';
import type { Domain } from '../../model/domain.ts';
import { feeMoney } from '../../model/fee-money.ts';
import type { TldRules } from '../../model/tld.ts';
import type { ReportedRefunds } from '../../ports/registry.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { add, addPrivacy, type Deletion, type GraceRefund, isInGrace, type Refunds } from './grace-refunds.ts';
import { type BookedRefund, bookedRefunds, completedPurchases, type DomainPurchaseRow } from './refunds.sql.ts';

/**
 * The refunds of a delete if the registry reports its own refunds: exactly those, line by line. Lines that are already in the ledger,
 * from an earlier delete or an earlier registration of the domain, are matched first.
 */
function withReported(
  reported: ReportedRefunds,
  reconciliationSources: { readonly purchases: readonly DomainPurchaseRow[]; readonly booked: readonly BookedRefund[] },
  deletion: Pick<Deletion, 'knownAt' | 'isGone'>,
  rules: Pick<TldRules, 'grace_days'>,
): Refunds {
  const lines = reported.lines.map(({ command, fee }) => ({ command, amount: feeMoney(fee).amount }));
  for (const each of reconciliationSources.booked) takeLine(lines, each);
  const due: GraceRefund[] = [];
  const doubtful: GraceRefund[] = [];
  const kept: GraceRefund[] = [];
  const open = reconciliationSources.purchases.filter(({ action }) => action !== 'privacy');
  const others: DomainPurchaseRow[] = [];
  // The latest first, because its grace period ends last.
  for (const purchase of open.toReversed()) {
    // A refused command may have been refunded in the same form, so without further data our own rules must agree.
    const isSure = reported.isWhole || isInGrace(purchase, deletion, rules);
    if (takeLine(lines, purchase)) add(isSure ? due : doubtful, purchase, purchase.years);
    else others.push(purchase);
  }
  for (const purchase of others) {
    const isOwed = isInGrace(purchase, deletion, rules);
    // The registry refunded an amount that differs from the charge: the operator must examine it.
    const isOdd = reported.isWhole && lines.some(({ command }) => command === purchase.action);
    if (isOdd || (isOwed && !reported.isWhole)) add(doubtful, purchase, purchase.years);
    else if (isOwed) add(kept, purchase, purchase.years);
  }
  addPrivacy(due, reconciliationSources.purchases);
  return { due, doubtful, kept };
}

export async function reportedRefunds(
  db: Reader,
  domain: Pick<Domain, 'id' | 'name' | 'registry_id' | 'tld'>,
  reported: ReportedRefunds,
  deletion: Pick<Deletion, 'knownAt' | 'isGone'>,
): Promise<Refunds> {
  const purchases = await completedPurchases(db, domain.id);
  const booked = await bookedRefunds(db, domain.name, domain.registry_id);
  return withReported(reported, { purchases, booked }, deletion, await rulesOf(db, domain));
}

interface Line {
  readonly command: string | null;
  readonly amount: bigint;
}

function takeLine(lines: Line[], { action, cost }: BookedRefund): boolean {
  const place = lines.findIndex(
    ({ command, amount }) => (command === null || command === action) && cost !== null && amount === BigInt(cost),
  );
  if (place === -1) return false;
  lines.splice(place, 1);
  return true;
}
