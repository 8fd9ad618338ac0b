import { addDays, type Money, money } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import { graceRefunds } from '../domains/end/grace-refunds.ts';
import { completedPurchases } from '../domains/end/refunds.sql.ts';
import type { Domain } from '../model/domain.ts';
import type { TldRules } from '../model/tld.ts';

/** What a deletion at this time means, by our own rules and dates. */
export interface DeletionOutlook {
  /** Null: nothing is refunded. */
  readonly refund: Money | null;
  /** The end of the add grace period, if it is open. */
  readonly addGraceEnds: Date | null;
  /** Null: the domain cannot be restored, because the registry releases it at once (RFC 3915 2). */
  readonly restoreDays: number | null;
}

export async function deletionOutlook(
  db: Reader,
  domain: Domain,
  rules: TldRules,
  now: Date,
): Promise<DeletionOutlook | null> {
  if (domain.state !== 'live') return null;
  const createdAt = domain.registry_created_at;
  const addEnds = createdAt && addDays(createdAt, rules.grace_days.add);
  const isAddGrace = addEnds !== null && addEnds > now;
  const deletion = { graces: null, createdAt, isGone: isAddGrace, actedAt: null, knownAt: now, isFresh: true };
  const { due } = graceRefunds(await completedPurchases(db, domain.id), deletion, rules);
  const own = due.filter((each) => each.reseller_id === domain.reseller_id);
  const total = own.reduce((sum, each) => sum + BigInt(each.total), 0n);
  return {
    refund: own[0] && total > 0n ? money(total, own[0].currency) : null,
    addGraceEnds: isAddGrace ? addEnds : null,
    restoreDays: isAddGrace || rules.grace_days.redemption === 0 ? null : rules.grace_days.redemption,
  };
}
