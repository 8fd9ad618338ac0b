import { addDays, dayMs, formatMoney, money } from '@namehold/base';
import type { TldRules } from '../../tlds/tld.ts';
import type { DomainPurchaseRow } from './refunds.sql.ts';

/** How much of a purchase shall have been given back in all, in minor units. */
export interface GraceRefund {
  readonly transaction_id: string;
  /** Who paid: perhaps an earlier holder of the name. */
  readonly reseller_id: string;
  readonly total: string;
  readonly currency: string;
  readonly years: number;
  /** The registry's own renewal, which nobody here has paid. */
  readonly is_own_renewal: boolean;
}

export const shown = ({ total, currency }: GraceRefund) => ({
  amount: formatMoney(money(BigInt(total), currency)),
  currency,
});

/** What came back of a purchase: less than was due where a credit note had given it before. Null: nothing. */
export const shownRefund = ({ refunded, currency }: { readonly refunded: bigint; readonly currency: string }) =>
  refunded === 0n ? null : { amount: formatMoney(money(refunded, currency)), currency };

/** What is known about a delete that the registry has carried out. */
export interface Deletion {
  /** Grace statuses that were open when the name was last seen alive, just before the delete left. Null: what was shown was old. */
  readonly graces: readonly string[] | null;
  readonly createdAt: Date | null;
  /** RFC 3915 2: a name that is deleted inside its add grace is gone at once; any other can still be restored. */
  readonly isGone: boolean;
  /** When the registry acted, by its own date; null where it shows none. */
  readonly actedAt: Date | null;
  /** By then it had acted. */
  readonly knownAt: Date;
  /** Answered right after the name was seen alive: what was open then was open when the registry acted. */
  readonly isFresh: boolean;
}

export interface Refunds {
  readonly due: readonly GraceRefund[];
  /** May be due, but when the registry acted cannot be found out: not given back, and the operator is told. */
  readonly doubtful: readonly GraceRefund[];
  /** Bought within a grace by our rules, and yet the registry says that it gave nothing back: nor do we, and the operator is told. */
  readonly kept?: readonly GraceRefund[];
}

type Days = Pick<TldRules, 'grace_days'>;
type Answer = 'yes' | 'no' | 'doubtful';

/**
 * What a delete gives back: the graces (RFC 3915 2) that were open when the registry acted, whenever we planned, sent or settled.
 * All dates are the registry's own. A name that is deleted outside every grace costs what it has cost.
 */
export function graceRefunds(purchases: readonly DomainPurchaseRow[], deletion: Deletion, rules: Days): Refunds {
  const due: GraceRefund[] = [];
  const doubtful: GraceRefund[] = [];
  const latest = (status: Status) =>
    Math.max(...purchases.flatMap(partsOf).flatMap((part) => (part.status === status ? [part.at.getTime()] : [])));
  const answerOf = (part: Part) => isRefunded(part, deletion, rules, part.at.getTime() === latest(part.status));
  // Inside the add grace all that was bought since comes back, whatever it was called when it was bought.
  const isAddGrace = purchases.flatMap(partsOf).some((part) => part.status === 'addPeriod' && answerOf(part) === 'yes');
  for (const purchase of purchases) {
    for (const part of partsOf(purchase)) {
      // Where the registry shows a grace open, it is at least that of the latest purchase.
      const answer = isAddGrace && endOf(part, rules) > part.at ? 'yes' : answerOf(part);
      if (answer !== 'no') add(answer === 'yes' ? due : doubtful, purchase, part.years);
    }
  }
  for (const refunds of [due, doubtful]) addPrivacy(refunds, purchases);
  return { due, doubtful };
}

/** A transfer away within the grace of the registry's own renewal: it takes that year back, so whoever paid for it has it back too. */
export function refundsOfLeaving(purchases: readonly DomainPurchaseRow[], leftAt: Date, rules: Days): GraceRefund[] {
  const due: GraceRefund[] = [];
  for (const purchase of purchases)
    for (const part of partsOf(purchase))
      if (part.status === 'autoRenewPeriod' && part.at <= leftAt && endOf(part, rules) > leftAt)
        add(due, purchase, part.years);
  return due;
}

/** So many years of the registry's own renewals came back by its statement: those of the latest purchases. */
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

/** Privacy that was bought by itself comes back with the registration that it was for; else it stays paid. */
export function addPrivacy(refunds: GraceRefund[], purchases: readonly DomainPurchaseRow[]): void {
  const isBack = (action: string) =>
    purchases.some(({ id, ...each }) => each.action === action && refunds.some((one) => one.transaction_id === id));
  if (!isBack('create')) return;
  for (const purchase of purchases) if (purchase.action === 'privacy') add(refunds, purchase, purchase.years);
}

type Status = 'addPeriod' | 'renewPeriod' | 'autoRenewPeriod' | 'transferPeriod';

/** Years of a purchase that one act of the registry brought about. */
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
    // A registry renews by itself a year at a time: only the last of these years can still be in its grace.
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
  // Nothing but our own records of when the registry acted.
  if (!deletion.graces) return isOpenByRecords(part, deletion, endsAt) ? 'yes' : 'no';
  if (!deletion.graces.includes(part.status)) return 'no';
  if (!deletion.isGone) {
    // Still there: the add grace was over, and the date of the last change is that of the delete.
    if (part.status === 'addPeriod') return 'no';
    const { actedAt } = deletion;
    // Registries that show days only say nothing about hours.
    if (actedAt && !(isMidnight(actedAt) && isLatest)) return endsAt > actedAt ? 'yes' : 'no';
    return withoutDate(endsAt, deletion, isLatest);
  }
  const addEnds = deletion.createdAt && addDays(deletion.createdAt, days.add);
  // So long after its add grace a name may be gone because its redemption is over.
  const mayHaveDropped = addEnds && addDays(addEnds, days.redemption + days.pending_delete) <= deletion.knownAt;
  if (mayHaveDropped && !deletion.isFresh) return 'doubtful';
  if (part.status === 'addPeriod') return 'yes';
  const actedBy = addEnds && addEnds < deletion.knownAt ? addEnds : deletion.knownAt;
  return withoutDate(endsAt, { ...deletion, knownAt: actedBy }, isLatest);
}

const isOpenByRecords = (part: Part, deletion: Pick<Deletion, 'knownAt' | 'isGone'>, endsAt: Date): boolean =>
  endsAt >= deletion.knownAt && (deletion.isGone || part.status !== 'addPeriod');

/** By our own rules and dates alone: whether a delete that is known by then should have given it back. */
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
