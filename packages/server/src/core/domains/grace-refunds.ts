import type { TldRules } from '../tlds/tld.ts';
import { addDays } from './lifecycle.ts';
import type { DomainPurchaseRow } from './refunds.sql.ts';
import type { RegistryDomain } from './registry.ts';

/** How much of a purchase shall have been given back in all, in minor units. */
export interface GraceRefund {
  readonly transaction_id: string;
  readonly total: string;
  readonly currency: string;
  readonly years: number;
}

/**
 * What a delete gives back (RFC 3915 2): the registry's own grace statuses, read just before, say which kinds are open; the TLD's
 * days say which purchase is meant. A name that is deleted outside every grace costs what it has cost.
 */
export function graceRefunds(
  purchases: readonly DomainPurchaseRow[],
  view: Pick<RegistryDomain, 'rgpStatuses'>,
  rules: Pick<TldRules, 'grace_days'>,
  now: Date,
): GraceRefund[] {
  const open = (status: string) => view.rgpStatuses.includes(status);
  const refunds: GraceRefund[] = [];
  for (const purchase of purchases) {
    const years = refundedYears(purchase, open, rules, now);
    if (years === 0) continue;
    const captured = BigInt(purchase.captured);
    const total = years === purchase.years ? captured : (captured * BigInt(years)) / BigInt(purchase.years);
    refunds.push({ transaction_id: purchase.id, total: total.toString(), currency: purchase.currency, years });
  }
  return refunds;
}

function refundedYears(
  purchase: DomainPurchaseRow,
  open: (status: string) => boolean,
  rules: Pick<TldRules, 'grace_days'>,
  now: Date,
): number {
  const within = (days: number) => addDays(purchase.settled_at, days) >= now;
  if (purchase.action === 'create') return open('addPeriod') && within(rules.grace_days.add) ? purchase.years : 0;
  const sent = purchase.outcome?.sent_years ?? purchase.years;
  const added = purchase.outcome?.auto_renewed_years ?? 0;
  const sentBack = open('renewPeriod') && within(rules.grace_days.renew) ? sent : 0;
  // Paid in the auto-renew grace: while that lasts the registry gives its own year back, whenever it was paid.
  const addedBack = open('autoRenewPeriod') && within(rules.grace_days.auto_renew) ? added : 0;
  return sentBack + addedBack;
}
