import { addDays, dayMs, formatMoney, money } from '@namehold/base';
import type { TldRules } from '../../model/tld.ts';
import type { DomainPurchaseRow } from './refunds.sql.ts';

/** The total that must have been refunded for a purchase, in minor units. */
export interface GraceRefund {
  readonly transaction_id: string;
  /** The payer, who may be a former reseller of the domain. */
  readonly reseller_id: string;
  readonly total: string;
  readonly currency: string;
  readonly years: number;
  /** An auto-renewal by the registry that no reseller has paid. */
  readonly is_own_renewal: boolean;
}

export const shown = ({ total, currency }: GraceRefund) => ({
  amount: formatMoney(money(BigInt(total), currency)),
  currency,
});

/** The refund of a purchase: less than was due if a credit note had refunded a part before. Null: nothing. */
export const shownRefund = ({ refunded, currency }: { readonly refunded: bigint; readonly currency: string }) =>
  refunded === 0n ? null : { amount: formatMoney(money(refunded, currency)), currency };

/** The known facts of a delete that the registry has executed. */
export interface Deletion {
  /** Grace statuses in the last view of the active domain, just before the delete was sent. Null: that view was stale. */
  readonly graces: readonly string[] | null;
  readonly createdAt: Date | null;
  /** RFC 3915 2: a domain that is deleted inside its add grace period is purged at once; any other can be restored. */
  readonly isGone: boolean;
  /** When the registry acted, by its own date; null if it shows none. */
  readonly actedAt: Date | null;
  /** The registry had acted by this time. */
  readonly knownAt: Date;
  /** Answered right after the view of the active domain: grace periods that were open then were open when the registry acted. */
  readonly isFresh: boolean;
}

export interface Refunds {
  readonly due: readonly GraceRefund[];
  /** May be due, but the time at which the registry acted cannot be determined. Not refunded; the operator gets an alarm. */
  readonly doubtful: readonly GraceRefund[];
  /** Bought within a grace period by our rules, but the registry reports no refund. Not refunded; the operator gets an alarm. */
  readonly kept?: readonly GraceRefund[];
}

type Days = Pick<TldRules, 'grace_days'>;
type Answer = 'yes' | 'no' | 'doubtful';

/**
 * The refunds of a delete: purchases whose grace period (RFC 3915 2) was open when the registry acted, whenever we planned, sent or
 * settled it. All dates are the registry's own. Outside every grace period nothing is refunded.
 */
export function graceRefunds(purchases: readonly DomainPurchaseRow[], deletion: Deletion, rules: Days): Refunds {
  const due: GraceRefund[] = [];
  const doubtful: GraceRefund[] = [];
  const latest = (status: Status) =>
    Math.max(...purchases.flatMap(partsOf).flatMap((part) => (part.status === status ? [part.at.getTime()] : [])));
  const answerOf = (part: Part) => isRefunded(part, deletion, rules, part.at.getTime() === latest(part.status));
  // Inside the add grace period everything that was bought since the creation is refunded, whatever its action.
  const isAddGrace = purchases.flatMap(partsOf).some((part) => part.status === 'addPeriod' && answerOf(part) === 'yes');
  for (const purchase of purchases) {
    for (const part of partsOf(purchase)) {
      // If the registry shows a grace period as open, it is at least that of the latest purchase.
      const answer = isAddGrace && endOf(part, rules) > part.at ? 'yes' : answerOf(part);
      if (answer !== 'no') add(answer === 'yes' ? due : doubtful, purchase, part.years);
    }
  }
  for (const refunds of [due, doubtful]) addPrivacy(refunds, purchases);
  return { due, doubtful };
}

/** A transfer away within the auto-renew grace period: the registry takes that year back, so its payer is refunded too. */
export function refundsOfLeaving(purchases: readonly DomainPurchaseRow[], leftAt: Date, rules: Days): GraceRefund[] {
  const due: GraceRefund[] = [];
  for (const purchase of purchases)
    for (const part of partsOf(purchase))
      if (part.status === 'autoRenewPeriod' && part.at <= leftAt && endOf(part, rules) > leftAt)
        add(due, purchase, part.years);
  return due;
}

/** The statement refunds this number of auto-renewed years: those of the latest purchases. */
export function refundsOfYears(purchases: readonly DomainPurchaseRow[], years: number): GraceRefund[] {
  const due: GraceRefund[] = [];
  let left = years;
  for (const purchase of purchases.toReversed())
    for (const part of partsOf(purchase))
      if (part.status === 'autoRenewPeriod' && left > 0) {
        add(due, purchase, Math.min(left, part.years));
        left -= part.years;
      }
  return due;
}

/** Privacy protection that was bought separately is refunded with the registration that it was for; otherwise it stays paid. */
export function addPrivacy(refunds: GraceRefund[], purchases: readonly DomainPurchaseRow[]): void {
  const isBack = (action: string) =>
    purchases.some(({ id, ...each }) => each.action === action && refunds.some((one) => one.transaction_id === id));
  if (!isBack('create')) return;
  for (const purchase of purchases) if (purchase.action === 'privacy') add(refunds, purchase, purchase.years);
}

type Status = 'addPeriod' | 'renewPeriod' | 'autoRenewPeriod' | 'transferPeriod';

/** The years of a purchase that were added by one act of the registry. */
interface Part {
  readonly status: Status;
  readonly years: number;
  readonly at: Date;
}

function partsOf({ action, years, settled_at, outcome }: DomainPurchaseRow): Part[] {
  const at = outcome?.acted_at ? new Date(outcome.acted_at) : settled_at;
  if (action === 'privacy') return [];
  if (action === 'create') return [{ status: 'addPeriod', years, at }];
  if (action === 'transfer') return [{ status: 'transferPeriod', years, at }];
  const renewedAt = outcome?.auto_renewed_at ? new Date(outcome.auto_renewed_at) : at;
  const parts: Part[] = [
    { status: 'renewPeriod', years: outcome?.sent_years ?? years, at },
    // A registry auto-renews one year at a time: only the last of these years can still be in its grace period.
    { status: 'autoRenewPeriod', years: Math.min(1, outcome?.auto_renewed_years ?? 0), at: renewedAt },
  ];
  return parts.filter((part) => part.years > 0);
}

function endOf({ status, at }: Part, { grace_days: days }: Days): Date {
  const length: Record<Status, number> = {
    addPeriod: days.add,
    renewPeriod: days.renew,
    autoRenewPeriod: days.auto_renew,
    transferPeriod: days.transfer,
  };
  return addDays(at, length[status]);
}

const isMidnight = (at: Date): boolean => at.getTime() % dayMs === 0;

function isRefunded(part: Part, deletion: Deletion, rules: Days, isLatest: boolean): Answer {
  const { grace_days: days } = rules;
  const endsAt = endOf(part, rules);
  // The only evidence is our own record of when the registry acted.
  if (!deletion.graces) return isOpenByRecords(part, deletion, endsAt) ? 'yes' : 'no';
  if (!deletion.graces.includes(part.status)) return 'no';
  if (!deletion.isGone) {
    // The domain is still shown: the add grace period was over, and the date of the last change is that of the delete.
    if (part.status === 'addPeriod') return 'no';
    const { actedAt } = deletion;
    // Registries that show only days give no information about hours.
    if (actedAt && !(isMidnight(actedAt) && isLatest)) return endsAt > actedAt ? 'yes' : 'no';
    return withoutDate(endsAt, deletion, isLatest);
  }
  const addEnds = deletion.createdAt && addDays(deletion.createdAt, days.add);
  // So long after its add grace period a domain may be gone because its redemption period ended.
  const mayHaveDropped = addEnds && addDays(addEnds, days.redemption + days.pending_delete) <= deletion.knownAt;
  if (mayHaveDropped && !deletion.isFresh) return 'doubtful';
  if (part.status === 'addPeriod') return 'yes';
  const actedBy = addEnds && addEnds < deletion.knownAt ? addEnds : deletion.knownAt;
  return withoutDate(endsAt, { ...deletion, knownAt: actedBy }, isLatest);
}

const isOpenByRecords = (part: Part, deletion: Pick<Deletion, 'knownAt' | 'isGone'>, endsAt: Date): boolean =>
  endsAt >= deletion.knownAt && (deletion.isGone || part.status !== 'addPeriod');

/** By our own rules and dates alone: whether the delete should have refunded it. */
export const isInGrace = (
  purchase: DomainPurchaseRow,
  deletion: Pick<Deletion, 'knownAt' | 'isGone'>,
  rules: Days,
): boolean => partsOf(purchase).some((part) => isOpenByRecords(part, deletion, endOf(part, rules)));

function withoutDate(endsAt: Date, deletion: Deletion, isLatest: boolean): Answer {
  if (endsAt >= deletion.knownAt) return 'yes';
  if (!isLatest) return 'no';
  return deletion.isFresh ? 'yes' : 'doubtful';
}

export function add(refunds: GraceRefund[], purchase: DomainPurchaseRow, years: number): void {
  const place = refunds.findIndex((each) => each.transaction_id === purchase.id);
  const all = years + (refunds[place]?.years ?? 0);
  const captured = BigInt(purchase.captured);
  const total = all === purchase.years ? captured : (captured * BigInt(all)) / BigInt(purchase.years);
  const refund = {
    transaction_id: purchase.id,
    reseller_id: purchase.reseller_id,
    total: total.toString(),
    currency: purchase.currency,
    years: all,
    is_own_renewal: purchase.action === 'auto_renew',
  };
  if (place === -1) refunds.push(refund);
  else refunds[place] = refund;
}
