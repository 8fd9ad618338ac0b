import { addDays } from '@namehold/base';
import { addYears, type Domain, type DomainState, type RemovedReason } from '../model/domain.ts';
import type { TldRules } from '../model/tld.ts';
import { expiryRuleOf } from '../policy/expiry-rule.ts';
import type { RegistryDomain } from '../ports/registry.ts';

export const lifePolicy = {
  /**
   * An unpaid domain is deleted this long before its auto-renew grace period ends, which leaves days for retries if the registry is
   * unavailable.
   */
  deleteBeforeGraceEndDays: 5,
  /** If it could not be deleted in time the year is lost. Haste saves nothing then, so the domain can be renewed for this long. */
  overdueDays: 15,
  /** The deletion never waits longer than until this many days before the end of the grace period. */
  deleteLatestDays: 1,
  /** Days before the end of a term from which automatic renewal is tried, unless the rules of the TLD set them. */
  renewalLeadDays: 15,
  /** The earliest day before the end of a term that a registry may name as the last one to renew. */
  renewBeforeEndDays: 90,
  /** Registries round expiry times differently; dates within this range are equal. */
  sameExpiryMs: 36 * 3_600_000,
  /** If a registry reports a domain as missing or not ours, it is queried again after this time before that is accepted. */
  missingAgainMs: 15 * 60_000,
  /** A poll message can be missing, so a pending transfer to another registrar is queried again after this time. */
  transferAgainMs: 3_600_000,
  /** How long a domain that disappeared without a reason is queried once a day. */
  searchMissingDays: 60,
};

export const leadDaysOf = (rules: TldRules): number => rules.renewal_lead_days ?? lifePolicy.renewalLeadDays;

/** Our interpretation of a registry's view. */
export interface Life {
  readonly state: DomainState;
  readonly removedReason: RemovedReason | null;
  readonly graceEndsAt: Date | null;
  /** When the domain entered redemption, by the registry's dates if it shows them. */
  readonly deletedAt: Date | null;
  readonly redemptionEndsAt: Date | null;
}

type Known = Pick<Domain, 'state' | 'end_date' | 'deleted_at' | 'redemption_ends_at' | 'synced_at'> &
  Partial<Pick<Domain, 'registry_created_at'>>;

/** Computes our state and dates from the registry's view. A pure function; tests check it against the table of domain-states.md. */
export function stateFrom(view: RegistryDomain | null, domain: Known, rules: TldRules, now: Date): Life {
  const state = stateOf(view, domain);
  if (state === 'dropped' || state === 'transferred_away') {
    return { state: 'removed', removedReason: state, graceEndsAt: null, deletedAt: null, redemptionEndsAt: null };
  }
  const deletedAt = deletion(state, view, domain, rules, now);
  return {
    state,
    removedReason: null,
    graceEndsAt: state === 'live' && view ? graceEnd(view, domain, rules, now) : null,
    deletedAt,
    redemptionEndsAt: redemptionEnd(state, deletedAt, domain, rules, now),
  };
}

/** The phase of a domain, as the registry's statuses show it. */
type Phase = 'live' | 'redemption' | 'pending_restore' | 'pending_delete' | 'pending_transfer';

/**
 * RFC 3915 3.1: the first three exclude each other and are set together with pendingDelete. pendingDelete alone means that no restore is
 * possible.
 */
export function phaseOf(view: Pick<RegistryDomain, 'statuses' | 'rgpStatuses'>): Phase {
  if (view.rgpStatuses.includes('redemptionPeriod')) return 'redemption';
  if (view.rgpStatuses.includes('pendingRestore')) return 'pending_restore';
  if (view.rgpStatuses.includes('pendingDelete') || view.statuses.includes('pendingDelete')) return 'pending_delete';
  return view.statuses.includes('pendingTransfer') ? 'pending_transfer' : 'live';
}

/** RFC 5731 3.1.2: a crDate later than ours is another registration of the same domain name; ours was deleted before. */
const isRegisteredAnew = (view: RegistryDomain, { registry_created_at: ours }: Known): boolean =>
  view.createdAt !== null && !!ours && view.createdAt.getTime() - ours.getTime() > lifePolicy.sameExpiryMs;

function stateOf(view: RegistryDomain | null, domain: Known): DomainState | 'dropped' | 'transferred_away' {
  // The operation of an open registration or transfer decides its state, and an unpaid order has none at the registry. Neither can be
  // missing there.
  if (domain.state === 'pending' || domain.state === 'removed' || domain.state === 'unpaid') return domain.state;
  if (view === null) return 'dropped';
  if (!view.isOurs) return isRegisteredAnew(view, domain) ? 'dropped' : 'transferred_away';
  return phaseOf(view);
}

function graceEnd(view: RegistryDomain, domain: Known, rules: TldRules, now: Date): Date | null {
  if (view.expiresAt && view.expiresAt <= now) return addDays(view.expiresAt, rules.grace_days.expired_hold);
  if (!isRenewedUnpaid(domain.end_date, view.expiresAt) || domain.end_date === null || domain.end_date > now)
    return null;
  return addDays(unpaidSince(domain.end_date, view.expiresAt), rules.grace_days.auto_renew);
}

const isLeaving = (state: DomainState): boolean =>
  state === 'redemption' || state === 'pending_restore' || state === 'pending_delete';

/**
 * RFC 3915 shows no dates. A domain that expired entered redemption when its hold ended. A deleted one shows the delete as its last
 * change, unless that is earlier than our last view of the active domain.
 */
function deletion(
  state: DomainState,
  view: RegistryDomain | null,
  domain: Known,
  rules: TldRules,
  now: Date,
): Date | null {
  if (!isLeaving(state)) return null;
  if (domain.deleted_at) return domain.deleted_at;
  const ranOut =
    !rules.auto_renew && view?.expiresAt ? addDays(view.expiresAt, rules.grace_days.expired_hold) : undefined;
  if (ranOut && ranOut <= now) return ranOut;
  const changed = view?.updatedAt;
  return changed && changed <= now && domain.synced_at && changed >= domain.synced_at ? changed : now;
}

function redemptionEnd(
  state: DomainState,
  deletedAt: Date | null,
  domain: Known,
  rules: TldRules,
  now: Date,
): Date | null {
  if (deletedAt === null) return null;
  if (domain.redemption_ends_at) return domain.redemption_ends_at;
  return state === 'pending_delete' ? now : addDays(deletedAt, rules.grace_days.redemption);
}

/** The registry's date is later than the end of the paid term: the registry auto-renewed. */
export function isRenewedUnpaid(endDate: Date | null, registryExpiresAt: Date | null): boolean {
  if (!endDate || !registryExpiresAt) return false;
  return registryExpiresAt.getTime() - endDate.getTime() > lifePolicy.sameExpiryMs;
}

/**
 * The registry charges a year that it does not take back any more: every unpaid auto-renewal but the latest, and that one too once its
 * grace period is over.
 */
export function owesFinalRenewal(
  domain: Pick<Domain, 'end_date' | 'registry_expires_at' | 'grace_ends_at' | 'kept_until'>,
): boolean {
  const { end_date: end, registry_expires_at: there } = domain;
  if (!end || !there || !isRenewedUnpaid(end, there)) return false;
  return domain.kept_until !== null || (domain.grace_ends_at !== null && wholeYears(end, there) > 1);
}

/** The start of the unpaid term: the end of the paid one, or the registry's latest auto-renewal after it. */
export function unpaidSince(endDate: Date, registryExpiresAt: Date | null): Date {
  const added = registryExpiresAt ? wholeYears(endDate, registryExpiresAt) : 0;
  return addYears(endDate, Math.max(0, added - 1));
}

/** Whole years from one expiry to another; never below zero. */
export function wholeYears(from: Date, to: Date): number {
  let years = 0;
  while (addYears(from, years + 1).getTime() <= to.getTime() + lifePolicy.sameExpiryMs) years += 1;
  return years;
}

/** When an unpaid domain is deleted, so that no unwanted year is charged; null if the registry does not auto-renew. */
export function deletesUnpaidAt(
  domain: Pick<Domain, 'end_date' | 'registry_expires_at' | 'kept_until'>,
  rules: TldRules,
): Date | null {
  if (!rules.auto_renew || !domain.end_date) return null;
  if (domain.kept_until && isRenewedUnpaid(domain.end_date, domain.registry_expires_at)) return domain.kept_until;
  const grace = rules.grace_days.auto_renew;
  return addDays(
    unpaidSince(domain.end_date, domain.registry_expires_at),
    grace - Math.min(lifePolicy.deleteBeforeGraceEndDays, Math.floor(grace / 2)),
  );
}

/**
 * The date before which a domain is renewed: the end of its term, or the registry's earlier date. A date that is far from the end is of
 * an earlier term.
 */
export function renewalDue(domain: Pick<Domain, 'registry_renew_by'>, end: Date): Date {
  const by = domain.registry_renew_by;
  return by && by < end && by > addDays(end, -lifePolicy.renewBeforeEndDays) ? by : end;
}

/** Until when a renewal is possible at the usual price. */
export function renewBy(domain: Ending & Pick<Domain, 'registry_renew_by'>, rules: TldRules): Date | null {
  if (domain.state !== 'live' || !domain.end_date) return null;
  const due = renewalDue(domain, domain.end_date);
  return due < domain.end_date ? due : endsUnpaid(domain, rules);
}

/** When an unpaid domain is deleted, or is no longer renewed by the registry. */
function endsUnpaid(domain: Omit<Ending, 'tld'>, rules: TldRules): Date | null {
  if (domain.state !== 'live' || !domain.end_date) return null;
  return deletesUnpaidAt(domain, rules) ?? addDays(domain.end_date, rules.grace_days.expired_hold);
}

type Ending = Pick<Domain, 'state' | 'tld' | 'end_date' | 'registry_expires_at' | 'kept_until'>;

/** When an unpaid domain is taken out of the DNS; null: not before its deletion. At the end of its term if there are not enough days. */
export function interruptsAt(domain: Ending, rules: TldRules): Date | null {
  const { interruptionDays } = expiryRuleOf(domain.tld, rules);
  const deletedAt = endsUnpaid(domain, rules);
  if (interruptionDays === 0 || !deletedAt || !domain.end_date) return null;
  const over = unpaidSince(domain.end_date, domain.registry_expires_at);
  const at = addDays(deletedAt, -interruptionDays);
  const begins = at < over ? over : at;
  return begins < deletedAt ? begins : null;
}

/**
 * When a background job deletes an unpaid domain: on its date, but not before the required interruption. The wait ends before the
 * registry's grace period does.
 */
export function deletionDue(
  domain: Ending & Pick<Domain, 'grace_ends_at' | 'unpaid_at' | 'locked'>,
  rules: TldRules,
): Date | null {
  const due = deletesUnpaidAt(domain, rules);
  const begins = interruptsAt(domain, rules);
  // A locked domain cannot be changed, and a user who decides about it needs the remaining days.
  if (!due || !begins || !domain.grace_ends_at || domain.locked) return due;
  const latest = addDays(domain.grace_ends_at, -lifePolicy.deleteLatestDays).getTime();
  const length = due.getTime() - begins.getTime();
  const interrupted = domain.unpaid_at ? domain.unpaid_at.getTime() + length : latest;
  return new Date(Math.max(due.getTime(), Math.min(interrupted, latest)));
}

/** Whether the removal that the registry reports was expected. */
export function isExpectedEnd(
  domain: Pick<Domain, 'state' | 'redemption_ends_at'>,
  reason: RemovedReason,
  rules: TldRules,
  now: Date,
): boolean {
  if (reason === 'transferred_away') return domain.state === 'pending_transfer';
  const dropped = dropsAt(domain, rules);
  return dropped !== null && dropped <= now;
}

/** The computed date from which the domain can be registered again. */
export function dropsAt(domain: Pick<Domain, 'state' | 'redemption_ends_at'>, rules: TldRules): Date | null {
  if (domain.state === 'removed' || !domain.redemption_ends_at) return null;
  return addDays(domain.redemption_ends_at, rules.grace_days.pending_delete);
}
