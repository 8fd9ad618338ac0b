import { addDays } from '@namehold/base';
import { expiryRuleOf } from '../policy/expiry-rule.ts';
import type { TldRules } from '../tlds/tld.ts';
import { addYears, type Domain, type DomainState, type RemovedReason } from './domain.ts';
import type { RegistryDomain } from './registry/registry.ts';

export const lifePolicy = {
  /** A name nobody renewed is deleted so long before its auto-renew grace ends: days to try again if the registry is away. */
  deleteBeforeGraceEndDays: 5,
  /** Where it could not be deleted in time the year is lost: nothing is saved by haste, and whoever wants the name gets so long. */
  overdueDays: 15,
  /** And never later than that, whatever it waits for. */
  deleteLatestDays: 1,
  /** Days before the end of a term from which a renewal by mode is tried, where the rules of the TLD say nothing. */
  renewalLeadDays: 15,
  /** Registries round expiry times their own way; within this two dates are one. */
  sameExpiryMs: 36 * 3_600_000,
  /** A registry that says a name is gone, or another's, is asked again so much later before it is believed. */
  missingAgainMs: 15 * 60_000,
  /** Registries forget messages: a transfer to another registrar that is pending is asked about again so much later. */
  transferAgainMs: 3_600_000,
  /** For so long a name that went without a reason is looked for again, once a day. */
  searchMissingDays: 60,
};

export const leadDaysOf = (rules: TldRules): number => rules.renewal_lead_days ?? lifePolicy.renewalLeadDays;

/** What a registry's view means for us. */
export interface Life {
  readonly state: DomainState;
  readonly removedReason: RemovedReason | null;
  readonly graceEndsAt: Date | null;
  /** When the name entered redemption, by the registry's dates where it shows them. */
  readonly deletedAt: Date | null;
  readonly redemptionEndsAt: Date | null;
}

type Known = Pick<Domain, 'state' | 'end_date' | 'deleted_at' | 'redemption_ends_at' | 'synced_at'> &
  Partial<Pick<Domain, 'registry_created_at'>>;

/** From what the registry shows to our state and dates. Pure: the table of domain-states.md is walked through it. */
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

/** What a name is on its way to, by the registry's own words. */
export type Phase = 'live' | 'redemption' | 'pending_restore' | 'pending_delete' | 'pending_transfer';

/** RFC 3915 3.1: the first three exclude each other and stand beside pendingDelete, which alone means that nothing brings it back. */
export function phaseOf(view: Pick<RegistryDomain, 'statuses' | 'rgpStatuses'>): Phase {
  if (view.rgpStatuses.includes('redemptionPeriod')) return 'redemption';
  if (view.rgpStatuses.includes('pendingRestore')) return 'pending_restore';
  if (view.rgpStatuses.includes('pendingDelete') || view.statuses.includes('pendingDelete')) return 'pending_delete';
  return view.statuses.includes('pendingTransfer') ? 'pending_transfer' : 'live';
}

/** RFC 5731 3.1.2: crDate. A later one than ours is another registration of the same domain name: ours was deleted before. */
const isRegisteredAnew = (view: RegistryDomain, { registry_created_at: ours }: Known): boolean =>
  view.createdAt !== null && !!ours && view.createdAt.getTime() - ours.getTime() > lifePolicy.sameExpiryMs;

function stateOf(view: RegistryDomain | null, domain: Known): DomainState | 'dropped' | 'transferred_away' {
  // A registration or a transfer in that is under way belongs to its operation, one that is not paid to nobody; what is not there yet is not lost.
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
 * RFC 3915 shows no dates. A name that ran out by itself entered redemption when its hold ended; one that was deleted shows the
 * act as its last change, unless that lies before we last saw it alive.
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

/** The registry's date lies beyond what was paid for: it renewed by itself. */
export function isRenewedUnpaid(endDate: Date | null, registryExpiresAt: Date | null): boolean {
  if (!endDate || !registryExpiresAt) return false;
  return registryExpiresAt.getTime() - endDate.getTime() > lifePolicy.sameExpiryMs;
}

/** A year is owed to the registry that it does not take back any more: all that it added by itself but the latest, and that too once its grace is over. */
export function owesFinalRenewal(
  domain: Pick<Domain, 'end_date' | 'registry_expires_at' | 'grace_ends_at' | 'kept_until'>,
): boolean {
  const { end_date: end, registry_expires_at: there } = domain;
  if (!end || !there || !isRenewedUnpaid(end, there)) return false;
  return domain.kept_until !== null || (domain.grace_ends_at !== null && wholeYears(end, there) > 1);
}

/** When the term began that nobody has paid: the end of the paid one, or the registry's latest renewal of its own after it. */
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

/** When an unpaid name is deleted, so that no year is bought that nobody wants; null where nothing renews by itself. */
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

/** Until when a renewal is possible at the usual price. */
export function renewBy(
  domain: Pick<Domain, 'state' | 'end_date' | 'registry_expires_at' | 'kept_until'>,
  rules: TldRules,
): Date | null {
  if (domain.state !== 'live' || !domain.end_date) return null;
  return deletesUnpaidAt(domain, rules) ?? addDays(domain.end_date, rules.grace_days.expired_hold);
}

type Ending = Pick<Domain, 'state' | 'tld' | 'end_date' | 'registry_expires_at' | 'kept_until'>;

/** When a name that nobody pays stops to resolve; null: not before it is deleted. Where there are not so many days, with the end of its term. */
export function interruptsAt(domain: Ending, rules: TldRules): Date | null {
  const { interruptionDays } = expiryRuleOf(domain.tld, rules);
  const deletedAt = renewBy(domain, rules);
  if (interruptionDays === 0 || !deletedAt || !domain.end_date) return null;
  const over = unpaidSince(domain.end_date, domain.registry_expires_at);
  const at = addDays(deletedAt, -interruptionDays);
  const begins = at < over ? over : at;
  return begins < deletedAt ? begins : null;
}

/**
 * When the clockwork deletes what nobody pays: on its day, but not before it was interrupted for as long as it had to be. That waits no
 * longer than the registry takes its year back.
 */
export function deletionDue(
  domain: Ending & Pick<Domain, 'grace_ends_at' | 'unpaid_at' | 'locked'>,
  rules: TldRules,
): Date | null {
  const due = deletesUnpaidAt(domain, rules);
  const begins = interruptsAt(domain, rules);
  // Nothing changes a locked one: who decides about it needs the days that are left.
  if (!due || !begins || !domain.grace_ends_at || domain.locked) return due;
  const latest = addDays(domain.grace_ends_at, -lifePolicy.deleteLatestDays).getTime();
  const length = due.getTime() - begins.getTime();
  const interrupted = domain.unpaid_at ? domain.unpaid_at.getTime() + length : latest;
  return new Date(Math.max(due.getTime(), Math.min(interrupted, latest)));
}

/** Whether the name was on its way to where the registry says that it went. */
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

/** When the name is free for everybody again, as far as dates can say. */
export function dropsAt(domain: Pick<Domain, 'state' | 'redemption_ends_at'>, rules: TldRules): Date | null {
  if (domain.state === 'removed' || !domain.redemption_ends_at) return null;
  return addDays(domain.redemption_ends_at, rules.grace_days.pending_delete);
}
